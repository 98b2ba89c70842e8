-- What the documents of a build are packed with: one row, none in a build without records.
select bytes from dictionary
