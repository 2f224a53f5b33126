-- Least privilege for a ledger in PostgreSQL: applications can record and read, and can change nothing.
--
-- 1. As a superuser, make the owner of the tables. No application connects as this role.
--
--      CREATE ROLE pleach_owner LOGIN PASSWORD '...';
--      GRANT USAGE, CREATE ON SCHEMA public TO pleach_owner;
--
-- 2. Open the ledger once as the owner, which makes the tables.
--
-- 3. As a superuser, run this script in the same database. Then let each application in:
--
--      CREATE ROLE my_service LOGIN PASSWORD '...' IN ROLE pleach_writer;
--      CREATE ROLE my_dashboard LOGIN PASSWORD '...' IN ROLE pleach_reader;
--
-- The owner and superusers can still take the triggers down; the hash chain of each turn shows what they changed.

BEGIN;

DO $$
BEGIN
  CREATE ROLE pleach_writer NOLOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

DO $$
BEGIN
  CREATE ROLE pleach_reader NOLOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

GRANT USAGE ON SCHEMA public TO pleach_writer, pleach_reader;

GRANT SELECT ON
  harness_ledger_schema, harness_turns, harness_turn_slots, harness_events, harness_auditable_calls
TO pleach_writer, pleach_reader;

GRANT INSERT ON harness_turns, harness_turn_slots, harness_events, harness_auditable_calls TO pleach_writer;

COMMIT;
