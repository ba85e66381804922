-- What belongs to a tenant and not to a person. Times are microseconds since 1970, UTC. Sealed columns carry
-- a CHECK on the blob's magic, tokens and hashes one on their length; what stands in
-- clear is named with its reason in models/clear_columns.go.
-- +goose Up
CREATE TABLE system_state (
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (key)
) STRICT;

CREATE TABLE tenants (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    locale TEXT NOT NULL CHECK (locale IN ('zh-Hans', 'en')),
    secret_wrapped BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (id)
) STRICT;

CREATE TABLE users (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    email_token BLOB NOT NULL CHECK (length(email_token) = 16),
    email BLOB NOT NULL CHECK (length(email) >= 54 AND substr(email, 1, 4) = x'f04e5853'),
    name BLOB NOT NULL CHECK (length(name) >= 54 AND substr(name, 1, 4) = x'f04e5853'),
    password BLOB CHECK (password IS NULL OR (length(password) >= 54 AND substr(password, 1, 4) = x'f04e5853')),
    locale TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX users_email_token ON users (tenant_id, email_token);

CREATE TABLE user_sessions (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL CHECK (length(user_id) = 36),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    stepped_up_at INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX user_sessions_user_id ON user_sessions (tenant_id, user_id);

CREATE TABLE sign_in_links (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL CHECK (length(user_id) = 36),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT;

CREATE TABLE agents (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    name TEXT NOT NULL,
    module TEXT NOT NULL,
    key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
    key_prefix TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX agents_key_hash ON agents (tenant_id, key_hash);
CREATE UNIQUE INDEX agents_name ON agents (tenant_id, name);

CREATE TABLE attribute_defs (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    key TEXT NOT NULL,
    label_zh TEXT NOT NULL,
    label_en TEXT NOT NULL,
    json_schema TEXT NOT NULL,
    sensitivity TEXT NOT NULL CHECK (sensitivity IN ('open', 'sealed')),
    ttl_days INTEGER,
    purpose_zh TEXT NOT NULL,
    purpose_en TEXT NOT NULL,
    lawful_basis TEXT NOT NULL,
    rule TEXT NOT NULL CHECK (rule IN ('allowed', 'banded', 'forbidden')),
    bands TEXT NOT NULL,
    category TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX attribute_defs_key ON attribute_defs (tenant_id, key);

CREATE TABLE policy_rules (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    ptype TEXT NOT NULL,
    sub TEXT NOT NULL,
    mod TEXT NOT NULL,
    cat TEXT NOT NULL DEFAULT '',
    act TEXT NOT NULL DEFAULT '',
    eft TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX policy_rules_ptype_sub_mod_cat_act_eft ON policy_rules (tenant_id, ptype, sub, mod, cat, act, eft);

CREATE TABLE audit_events (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    occurred_at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('agent', 'user', 'subject', 'system')),
    actor_id TEXT NOT NULL,
    actor_role TEXT NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    pseudonym TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    payload BLOB NOT NULL CHECK (length(payload) >= 54 AND substr(payload, 1, 4) = x'f04e5853'),
    payload_key BLOB NOT NULL CHECK (length(payload_key) >= 54 AND substr(payload_key, 1, 4) = x'f04e5853'),
    commitment BLOB NOT NULL CHECK (length(commitment) = 32),
    leaf BLOB NOT NULL CHECK (length(leaf) = 32),
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX audit_events_occurred_at_id ON audit_events (tenant_id, occurred_at, id);
CREATE INDEX audit_events_pseudonym_occurred_at ON audit_events (tenant_id, pseudonym, occurred_at);
CREATE INDEX audit_events_action_occurred_at ON audit_events (tenant_id, action, occurred_at);

CREATE TABLE erasures (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    pseudonym TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('all', 'rows')),
    state TEXT NOT NULL CHECK (state IN ('requested', 'key_destroyed', 'rows_deleted', 'partial', 'complete')),
    requested_by TEXT NOT NULL,
    counts TEXT NOT NULL,
    remaining TEXT NOT NULL,
    receipt_id TEXT CHECK (receipt_id IS NULL OR length(receipt_id) = 36),
    progress_hash BLOB NOT NULL CHECK (length(progress_hash) = 32),
    requested_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX erasures_pseudonym ON erasures (tenant_id, pseudonym);

CREATE TABLE receipts (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    erasure_id TEXT NOT NULL CHECK (length(erasure_id) = 36),
    body TEXT NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 64),
    public_key BLOB NOT NULL CHECK (length(public_key) = 32),
    issued_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX receipts_erasure_id ON receipts (tenant_id, erasure_id);

CREATE TABLE knowledge (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    namespace TEXT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    source TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    status TEXT NOT NULL CHECK (status IN ('active', 'archived', 'superseded')),
    expire_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX knowledge_namespace_category_content_hash ON knowledge (tenant_id, namespace, category, content_hash);

CREATE TABLE knowledge_vectors (
    tenant_id TEXT NOT NULL,
    knowledge_id TEXT NOT NULL CHECK (length(knowledge_id) = 36),
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (tenant_id, knowledge_id, model)
) STRICT;

CREATE TABLE subject_directory (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    external_token BLOB NOT NULL CHECK (length(external_token) = 16),
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX subject_directory_external_token ON subject_directory (tenant_id, external_token);

CREATE TABLE tombstones (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    erasure_token BLOB NOT NULL CHECK (length(erasure_token) = 16),
    epoch INTEGER NOT NULL,
    erased_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX tombstones_erasure_token_epoch ON tombstones (tenant_id, erasure_token, epoch);

-- +goose Down
DROP TABLE tombstones;
DROP TABLE subject_directory;
DROP TABLE knowledge_vectors;
DROP TABLE knowledge;
DROP TABLE receipts;
DROP TABLE erasures;
DROP TABLE audit_events;
DROP TABLE policy_rules;
DROP TABLE attribute_defs;
DROP TABLE agents;
DROP TABLE sign_in_links;
DROP TABLE user_sessions;
DROP TABLE users;
DROP TABLE tenants;
DROP TABLE system_state;
