/** The SQLite file has the same tables: src/state/sqlite-audit.ts. */
export const AUDIT_TABLES = `
  CREATE TABLE audit (
    seq bigint PRIMARY KEY,
    time bigint NOT NULL, action text NOT NULL, actor text NOT NULL, subject text NOT NULL, reason text,
    details text NOT NULL, gateway text NOT NULL, previous_hash text NOT NULL, hash text NOT NULL
  );
  CREATE INDEX audit_by_time ON audit (time);
  CREATE INDEX audit_by_subject ON audit (subject, seq);
  CREATE TABLE audit_head (seq bigint NOT NULL, hash text NOT NULL);
  INSERT INTO audit_head VALUES (0, repeat('0', 64));
  -- Decisions on approvals, written with them, until a gateway chains them.
  CREATE TABLE audit_waiting (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    time bigint NOT NULL, action text NOT NULL, actor text, subject text NOT NULL, reason text, details text NOT NULL
  );

  CREATE FUNCTION signalbox_note(action text, actor text, subject text, reason text, details json) RETURNS void
  LANGUAGE sql AS $$
    INSERT INTO audit_waiting (time, action, actor, subject, reason, details)
    VALUES (extract(epoch FROM clock_timestamp()) * 1000, $1, $2, $3, $4, $5::text)
  $$;
  CREATE FUNCTION signalbox_audit_approval() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM signalbox_note('approval.asked', NEW.caller, NEW.id, NEW.reason, json_build_object(
        'capability_id', NEW.capability, 'request_id', NEW.request_id, 'call', NEW.fingerprint));
      RETURN NULL;
    END IF;
    IF OLD.status = 'waiting' AND NEW.status IN ('approved', 'refused') THEN
      PERFORM signalbox_note('approval.' || NEW.status, NEW.decided_by, NEW.id, NEW.note, json_build_object(
        'capability_id', NEW.capability, 'caller', NEW.caller, 'call', NEW.fingerprint,
        'repeatable', NEW.repeatable = 1, 'expires', NEW.expires));
    END IF;
    IF NEW.used_by IS DISTINCT FROM OLD.used_by THEN
      PERFORM signalbox_note(
        CASE WHEN NEW.used_by IS NULL THEN 'approval.returned' ELSE 'approval.used' END, NEW.caller, NEW.id,
        CASE WHEN NEW.used_by IS NULL THEN 'The call changed nothing.' END,
        json_build_object('capability_id', NEW.capability, 'request_id', coalesce(NEW.used_by, OLD.used_by)));
    END IF;
    IF NEW.status = 'expired' AND OLD.status <> 'expired' THEN
      PERFORM signalbox_note('approval.expired', NULL, NEW.id, NULL, json_build_object(
        'capability_id', NEW.capability, 'caller', NEW.caller, 'was', OLD.status, 'expires', NEW.expires));
    END IF;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER approvals_audit AFTER INSERT OR UPDATE ON approvals
    FOR EACH ROW EXECUTE FUNCTION signalbox_audit_approval();
`
