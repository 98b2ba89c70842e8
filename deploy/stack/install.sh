# shellcheck shell=bash
# Installs the Debian packages that are missing, and none that is there. Sourced, never run.

# Where Debian puts each version of Postgres.
POSTGRES_VERSIONS=${ROSTER_POSTGRES_VERSIONS:-/usr/lib/postgresql}

# The version that the stack's cluster was made by, which no other one starts; nothing before there is a cluster.
cluster_version() { cat "$DATA/postgres/data/PG_VERSION" 2>/dev/null || true; }

postgres_bin() {
  local version folder
  version=$(cluster_version)
  if [ -n "$version" ]; then
    folder=$POSTGRES_VERSIONS/$version/bin
  else
    # The newest, when several are installed.
    folder=$(printf '%s\n' "$POSTGRES_VERSIONS"/*/bin | sort -V | tail -n 1)
  fi
  [ -x "$folder/initdb" ] || return 1
  printf '%s\n' "$folder"
}

# The package that brings each command.
package_of() {
  case $1 in
    postgres) local version && version=$(cluster_version) && echo "postgresql${version:+-$version}" ;;
    mvn) echo maven ;;
    java) echo default-jre-headless ;;
    kill) echo procps ;;
    promtool) echo prometheus ;;
    cc | c++ | make) echo build-essential ;;
    openssl-headers) echo libssl-dev ;;
    *) echo "$1" ;;
  esac
}

is_installed() {
  case $1 in
    postgres) postgres_bin >/dev/null ;;
    # Not the one of the shell.
    kill) type -P kill >/dev/null ;;
    openssl-headers) pkg-config --exists openssl 2>/dev/null ;;
    nginx) command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

as_root() { if is_root; then "$@"; else sudo "$@"; fi; }

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

# What Debian asks before it starts what it installs.
POLICY=${ROSTER_POLICY:-/usr/sbin/policy-rc.d}

# Installs packages and starts none of their services: a stack has processes of its own, and nobody asked for nginx on port 80. What an
# operator's own policy says holds.
install_packages() (
  if [ ! -e "$POLICY" ]; then
    trap 'as_root rm -f "$POLICY"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$POLICY" >/dev/null
    as_root chmod 755 "$POLICY"
  fi
  apt install --no-install-recommends "$@"
)

# need COMMAND...: afterwards all of them are there, or the script has said why not.
need() {
  local name missing=()
  for name in "$@"; do
    is_installed "$name" || missing+=("$(package_of "$name")")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
  command -v apt-get >/dev/null || die "please install: ${missing[*]}"
  is_root || command -v sudo >/dev/null || die "please install (neither root nor sudo here): ${missing[*]}"
  say "   installing ${missing[*]}"
  apt update >/dev/null || warn "apt-get update failed; trying with the lists that are there"
  install_packages "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
}

need_rust() {
  command -v cargo >/dev/null || [ ! -x "$HOME/.cargo/bin/cargo" ] || PATH=$HOME/.cargo/bin:$PATH
  command -v cargo >/dev/null || die "Rust is missing: install it with https://rustup.rs"
  # rdkafka compiles librdkafka from its crate, against the system's OpenSSL.
  need cc c++ make pkg-config openssl-headers
}

# Where cargo builds: CARGO_TARGET_DIR or any other way of setting it.
target_folder() {
  (cd "$ROOT" && cargo metadata --format-version 1 --no-deps) | sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
}
