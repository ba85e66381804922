-- What belongs to a person: each key begins with tenant and subject.
-- +goose Up
CREATE TABLE subjects (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    epoch INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'erasing', 'restricted')),
    external_id BLOB NOT NULL CHECK (length(external_id) >= 54 AND substr(external_id, 1, 4) = x'f04e5853'),
    pseudonym TEXT NOT NULL,
    locale TEXT NOT NULL,
    erasure_id TEXT CHECK (erasure_id IS NULL OR length(erasure_id) = 36),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, subject_id)
) STRICT;
CREATE INDEX subjects_created_at ON subjects (tenant_id, created_at, subject_id);
CREATE INDEX subjects_pseudonym ON subjects (tenant_id, pseudonym);
CREATE INDEX subjects_status ON subjects (status);

CREATE TABLE attributes (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    key_token BLOB NOT NULL CHECK (length(key_token) = 16),
    name BLOB NOT NULL CHECK (length(name) >= 54 AND substr(name, 1, 4) = x'f04e5853'),
    value BLOB NOT NULL CHECK (length(value) >= 54 AND substr(value, 1, 4) = x'f04e5853'),
    category TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('user', 'manual', 'external', 'inferred')),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    reason BLOB CHECK (reason IS NULL OR (length(reason) >= 54 AND substr(reason, 1, 4) = x'f04e5853')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'archived', 'superseded', 'rejected')),
    supersedes TEXT CHECK (supersedes IS NULL OR length(supersedes) = 36),
    conflict_with TEXT CHECK (conflict_with IS NULL OR length(conflict_with) = 36),
    agent_id TEXT CHECK (agent_id IS NULL OR length(agent_id) = 36),
    value_version INTEGER NOT NULL,
    expire_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX attributes_key_token ON attributes (tenant_id, subject_id, key_token) WHERE status = 'active';
CREATE INDEX attributes_key_token_value_version ON attributes (tenant_id, subject_id, key_token, value_version);

CREATE TABLE memories (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    namespace TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('hard_fact', 'soft_preference', 'event_fragment', 'procedure')),
    layer TEXT NOT NULL CHECK (layer IN ('episodic', 'semantic', 'procedural')),
    category TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('user', 'manual', 'external', 'inferred')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'archived', 'superseded', 'rejected')),
    content BLOB NOT NULL CHECK (length(content) >= 54 AND substr(content, 1, 4) = x'f04e5853'),
    labels BLOB NOT NULL CHECK (length(labels) >= 54 AND substr(labels, 1, 4) = x'f04e5853'),
    content_token BLOB NOT NULL CHECK (length(content_token) = 16),
    slot_token BLOB CHECK (slot_token IS NULL OR length(slot_token) = 16),
    topic_token BLOB CHECK (topic_token IS NULL OR length(topic_token) = 16),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    supersedes TEXT CHECK (supersedes IS NULL OR length(supersedes) = 36),
    superseded_by TEXT CHECK (superseded_by IS NULL OR length(superseded_by) = 36),
    conflict_with TEXT CHECK (conflict_with IS NULL OR length(conflict_with) = 36),
    agent_id TEXT CHECK (agent_id IS NULL OR length(agent_id) = 36),
    session_id TEXT CHECK (session_id IS NULL OR length(session_id) = 36),
    occurred_at INTEGER NOT NULL,
    expire_at INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0,
    last_access_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX memories_namespace_category_content_token ON memories (tenant_id, subject_id, namespace, category, content_token) WHERE status = 'active';
CREATE INDEX memories_slot_token ON memories (tenant_id, subject_id, slot_token) WHERE slot_token IS NOT NULL;
CREATE INDEX memories_status_id ON memories (tenant_id, subject_id, status, id);

CREATE TABLE memory_evidence (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    memory_id TEXT NOT NULL CHECK (length(memory_id) = 36),
    message_token BLOB CHECK (message_token IS NULL OR length(message_token) = 16),
    turn_id TEXT CHECK (turn_id IS NULL OR length(turn_id) = 36),
    quote BLOB CHECK (quote IS NULL OR (length(quote) >= 54 AND substr(quote, 1, 4) = x'f04e5853')),
    source TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE INDEX memory_evidence_memory_id ON memory_evidence (tenant_id, subject_id, memory_id);
CREATE UNIQUE INDEX memory_evidence_memory_id_message_token ON memory_evidence (tenant_id, subject_id, memory_id, message_token) WHERE message_token IS NOT NULL;

CREATE TABLE sessions (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    session_token BLOB NOT NULL CHECK (length(session_token) = 16),
    external_id BLOB NOT NULL CHECK (length(external_id) >= 54 AND substr(external_id, 1, 4) = x'f04e5853'),
    state BLOB CHECK (state IS NULL OR (length(state) >= 54 AND substr(state, 1, 4) = x'f04e5853')),
    namespace TEXT NOT NULL,
    turns INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    expire_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX sessions_session_token ON sessions (tenant_id, subject_id, session_token);

CREATE TABLE turns (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    session_id TEXT NOT NULL CHECK (length(session_id) = 36),
    namespace TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    content BLOB NOT NULL CHECK (length(content) >= 54 AND substr(content, 1, 4) = x'f04e5853'),
    message_token BLOB NOT NULL CHECK (length(message_token) = 16),
    position INTEGER NOT NULL,
    agent_id TEXT CHECK (agent_id IS NULL OR length(agent_id) = 36),
    occurred_at INTEGER NOT NULL,
    zone INTEGER NOT NULL DEFAULT 0 CHECK (zone BETWEEN -86400 AND 86400),
    expire_at INTEGER,
    extracted_at INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX turns_message_token ON turns (tenant_id, subject_id, message_token);
CREATE INDEX turns_session_id_position ON turns (tenant_id, subject_id, session_id, position);

CREATE TABLE segments (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    namespace TEXT NOT NULL,
    category TEXT NOT NULL,
    block BLOB NOT NULL CHECK (length(block) >= 54 AND substr(block, 1, 4) = x'f04e5853'),
    entries INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX segments_namespace_category ON segments (tenant_id, subject_id, namespace, category);

CREATE TABLE segment_deltas (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    namespace TEXT NOT NULL,
    category TEXT NOT NULL,
    entry_id TEXT NOT NULL CHECK (length(entry_id) = 36),
    change TEXT NOT NULL CHECK (change IN ('put', 'drop')),
    block BLOB CHECK (block IS NULL OR (length(block) >= 54 AND substr(block, 1, 4) = x'f04e5853')),
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE INDEX segment_deltas_namespace_category_id ON segment_deltas (tenant_id, subject_id, namespace, category, id);
CREATE INDEX segment_deltas_entry_id ON segment_deltas (tenant_id, subject_id, entry_id);

CREATE TABLE recalls (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    namespace TEXT NOT NULL,
    agent_id TEXT CHECK (agent_id IS NULL OR length(agent_id) = 36),
    decision TEXT NOT NULL,
    degraded TEXT NOT NULL,
    returned INTEGER NOT NULL,
    query BLOB NOT NULL CHECK (length(query) >= 54 AND substr(query, 1, 4) = x'f04e5853'),
    detail BLOB NOT NULL CHECK (length(detail) >= 54 AND substr(detail, 1, 4) = x'f04e5853'),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE INDEX recalls_created_at ON recalls (tenant_id, subject_id, created_at);

CREATE TABLE erased_tokens (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    kind TEXT NOT NULL CHECK (kind IN ('memory', 'attribute', 'turn')),
    token BLOB NOT NULL CHECK (length(token) = 16),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;
CREATE UNIQUE INDEX erased_tokens_kind_token ON erased_tokens (tenant_id, subject_id, kind, token);

CREATE TABLE portal_links (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    locale TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;

CREATE TABLE portal_sessions (
    tenant_id TEXT NOT NULL,
    subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
    id TEXT NOT NULL CHECK (length(id) = 36),
    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, subject_id, id)
) STRICT;

-- +goose Down
DROP TABLE portal_sessions;
DROP TABLE portal_links;
DROP TABLE erased_tokens;
DROP TABLE recalls;
DROP TABLE segment_deltas;
DROP TABLE segments;
DROP TABLE turns;
DROP TABLE sessions;
DROP TABLE memory_evidence;
DROP TABLE memories;
DROP TABLE attributes;
DROP TABLE subjects;
