-- An account's contracts have a table of their own: an index on contract_balance took an entry with every charge, and whoever looked an
-- account up walked over all that charges had left there.
SET LOCAL statement_timeout = 0;
-- No contract begins between the copy and the reference.
LOCK TABLE contract_balance IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE account_contract (
    account_id  uuid NOT NULL,
    contract_id uuid NOT NULL,
    PRIMARY KEY (account_id, contract_id)
);
COMMENT ON TABLE account_contract IS 'Contracts of each account; a row is written with the contract and never changed.';
INSERT INTO account_contract (account_id, contract_id) SELECT account_id, contract_id FROM contract_balance;
DROP INDEX contract_balance_account;
-- A program that does not know the table opens no contract that would be missing in it.
ALTER TABLE contract_balance ADD FOREIGN KEY (account_id, contract_id) REFERENCES account_contract;
