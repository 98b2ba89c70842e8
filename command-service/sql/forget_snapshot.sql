-- A snapshot that is not believed, unless another one stands in its place by now (primary key).
DELETE FROM snapshot WHERE aggregate_id = $1 AND seq = $2
