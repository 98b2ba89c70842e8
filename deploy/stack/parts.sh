# shellcheck shell=bash
# The processes of a stack: started in the background with a log and a pid file, and ended by exactly that pid.
# Sourced, never run. A pid is used only while its start time is the recorded one: pids are reused after a while.

# Field 22 of /proc/PID/stat, counted behind the name in brackets, which may hold spaces; with the boot, it names one process for ever.
birth_of() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # A zombie has ended; nobody has read its exit code yet.
  [[ ${stat##*) } != Z* ]] || return 1
  printf '%s %s\n' "$(cat /proc/sys/kernel/random/boot_id)" "$(cut -d' ' -f20 <<<"${stat##*) }")"
}

# Prints the pid of a part that runs; false if it does not.
pid_of() {
  local pid birth
  pid=$(cat "$RUN/$1.pid" 2>/dev/null) || return 1
  birth=$(cat "$RUN/$1.birth" 2>/dev/null) || return 1
  [[ $pid =~ ^[0-9]+$ ]] && [ "$(birth_of "$pid")" = "$birth" ] || return 1
  printf '%s\n' "$pid"
}

runs() { pid_of "$1" >/dev/null; }
runs_not() { ! runs "$1"; }

# launch PART COMMAND...: starts it detached from this terminal and from make.
launch() {
  local part=$1 pid log=$LOG/$1.log
  shift
  # One old log is kept, so that a stack that is restarted for months does not fill the disk.
  [ "$(stat -c %s "$log" 2>/dev/null || echo 0)" -lt 52428800 ] || mv -f "$log" "$log.1"
  # The process names itself before it becomes the part: one whose starter was killed is found, too.
  (
    birth_of "$BASHPID" >"$RUN/$part.birth"
    printf '%s\n' "$BASHPID" >"$RUN/$part.pid"
    exec setsid "$@"
  ) >>"$log" 2>&1 </dev/null 9>&- &
  pid=$!
  within 5 is_named "$part" "$pid" || die "$part did not start"
}

is_named() { [ "$(cat "$RUN/$1.pid" 2>/dev/null)" = "$2" ]; }

# launch_ready PART SECONDS READY-COMMAND -- COMMAND...: starts a part and waits until it is ready.
launch_ready() {
  local part=$1 seconds=$2 ready=$3 until
  shift 4
  launch "$part" "$@"
  until=$((SECONDS + seconds))
  until "$ready" >/dev/null 2>&1; do
    runs "$part" || { show_log_tail "$part"; die "$part ended while starting"; }
    [ "$SECONDS" -lt "$until" ] || { show_log_tail "$part"; die "$part is not ready after $seconds s"; }
    sleep 0.1
  done
  say "   $part is up (pid $(pid_of "$part"))"
}

# When the main process of a part was killed, its children (nginx' workers) may live on and keep its port. They are in the session that
# `launch` made, whose number is that of the dead process and is not given to another while one of them lives. Those of nginx are also
# found by their folder, where nothing is known of the dead process any more.
end_orphans() {
  local part=$1 leader='' boot='' stat line fields
  ! runs "$part" || return 0
  leader=$(cat "$RUN/$part.pid" 2>/dev/null) && read -r boot _ <"$RUN/$part.birth" || leader=''
  # Of another boot, or given to another process since.
  [ "$boot" = "$(cat /proc/sys/kernel/random/boot_id)" ] && ! birth_of "$leader" >/dev/null || leader=''
  for stat in /proc/[0-9]*/stat; do
    line=$(cat "$stat" 2>/dev/null) || continue
    read -r -a fields <<<"${line##*) }"
    # Behind the name: state, parent, group, session.
    if [ "${fields[3]}" = "$leader" ] || { [ "$part" = gateway ] && works_in "${line%% *}" nginx "$DATA/gateway"; }; then
      kill -s KILL "${line%% *}" 2>/dev/null || true
    fi
  done
}

# works_in PID NAME FOLDER: whether a process has this name and its own folder is this one. Not the folder alone: an operator's shell
# may stand there.
works_in() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ] && [ "$(readlink "/proc/$1/cwd" 2>/dev/null)" = "$3" ]; }

# need_free_port PORT PART SETTING: a part that is not ours on the port would be taken for ours.
need_free_port() {
  within 5 port_is_free "$1" || die "$2 cannot start: port $1 is taken by another process; choose one with $3=PORT"
}

# end_part PART SIGNAL SECONDS: asks, waits, then insists.
end_part() {
  local part=$1 signal=$2 seconds=$3 pid
  if pid=$(pid_of "$part"); then
    kill -s "$signal" "$pid" 2>/dev/null || true
    if ! within "$seconds" runs_not "$part"; then
      warn "$part did not end within $seconds s of SIG$signal; killing it"
      kill -s KILL "$pid" 2>/dev/null || true
      within 10 runs_not "$part" || die "$part (pid $pid) cannot be ended"
    fi
    say "   $part is down"
  fi
  # While it is known whose they are.
  end_orphans "$part"
  rm -f "$RUN/$part.pid" "$RUN/$part.birth"
}
