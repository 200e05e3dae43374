-- Details of an audit are erased only where a person of the row is gone: the role that serves may call the function, and
-- could have taken the details of people who have an account. `gatehouse verify-audit` asks the same of every erased row.

-- As in 0016: the functions find tables where they are now, and a temporary table comes last.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Whatever statement the service sends: a row loses at most its details, and those only where the person who acted, or whose
-- token the subject is, has no account; it goes only with a chain whose time is over.
CREATE OR REPLACE FUNCTION refuse_change_of_organization_audit() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
DECLARE
  erased organization_audits;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM organization_audit_ends e
      WHERE e.organization_id = OLD.organization_id AND e.ended_at <= now() - interval '90 days') THEN RETURN OLD; END IF;
  ELSE
    erased := OLD;
    erased.details := NULL;
    erased.details_salt := NULL;
    IF NEW IS NOT DISTINCT FROM erased AND (
      OLD.actor_kind <> 'SERVICE_ACCOUNT' AND NOT EXISTS (SELECT FROM users u WHERE u.id = OLD.actor_id)
      OR OLD.subject_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = OLD.subject_user_id)
    ) THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

-- Erases the details of what a person did and of what was done to their tokens, once they have no account. The locks of the
-- chains let no row of theirs pass by; those of the organizations that they belonged to are held whether there is such a row
-- or not.
CREATE OR REPLACE FUNCTION erase_organization_audits(person uuid, organizations uuid[]) RETURNS integer LANGUAGE plpgsql
  VOLATILE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan TO off AS $$
DECLARE
  chain uuid;
  erased integer;
BEGIN
  IF EXISTS (SELECT FROM users u WHERE u.id = person) THEN
    RAISE EXCEPTION 'the details of a person who has an account are kept' USING ERRCODE = 'restrict_violation';
  END IF;
  FOR chain IN
    SELECT unnest(organizations) AS organization UNION
    SELECT a.organization_id FROM organization_audits a
      WHERE a.actor_id = person AND a.actor_kind <> 'SERVICE_ACCOUNT' OR a.subject_user_id = person ORDER BY organization
  LOOP
    PERFORM lock_organization_audits(chain);
  END LOOP;
  UPDATE organization_audits a SET details = NULL, details_salt = NULL
    WHERE (a.actor_id = person AND a.actor_kind <> 'SERVICE_ACCOUNT' OR a.subject_user_id = person)
      AND a.details IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
