-- Whether a passkey may be copied to other devices, which never changes (WebAuthn level 3, section 6.1.3). Null for one
-- that was registered before, until its next use.
ALTER TABLE passkeys ADD COLUMN is_backup_eligible boolean;
