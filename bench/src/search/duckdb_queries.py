"""Runs the searches of a bench on DuckDB: reads a job from stdin, prints one line of JSON a query.

Job: {"documents": path of canonical records in rank order, one JSON object a line, "database": path, "runs": n,
"queries": [{"where": SQL, "order": SQL, "values": [...], "offset": n}]}. Answer: {"count": n, "ranks": [...],
"milliseconds": median of count + page}. One thread, everything warm: each query runs once before it is timed.
"""

import json
import statistics
import sys
import time

import duckdb

job = json.load(sys.stdin)
db = duckdb.connect(job["database"])
db.execute("set preserve_insertion_order = true")
db.execute(
    "create table person as select row_number() over () as rank, * from read_json(?, format = 'newline_delimited', "
    "sample_size = 200000, maximum_object_size = 33554432, dateformat = '%d~%m~%Y', timestampformat = '%d~%m~%Y')",
    [job["documents"]],
)
db.execute("set threads = 1")
for query in job["queries"]:
    where, values = query["where"], query["values"]
    count = f"select count(*) from person where {where}"
    page = f"select rank from person where {where} order by {query['order']} limit 100 offset {query['offset']}"
    times = []
    try:
        for run in range(job["runs"] + 1):
            start = time.perf_counter()
            total = db.execute(count, values).fetchone()[0]
            ranks = [row[0] for row in db.execute(page, values).fetchall()]
            if run > 0:
                times.append((time.perf_counter() - start) * 1000)
        print(json.dumps({"count": total, "ranks": ranks, "milliseconds": statistics.median(times)}), flush=True)
    except duckdb.Error as fault:
        print(json.dumps({"error": str(fault)}), flush=True)
