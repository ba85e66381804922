package models

// ClearColumns lists every text and bytes column that is neither sealed, nor a
// keyed token, nor an id, with the reason why it may stand in clear (R5). A test
// enumerates the migrated schema and fails on any other.
var ClearColumns = map[string]string{
	"*.tenant_id": "names the customer, not a person",
	"*.namespace": "a part of a tenant, named by its operator",
	"*.category":  "one word of a fixed vocabulary; policy filters by it in SQL",
	"*.status":    "one word of a fixed vocabulary",
	"*.source":    "one word of a fixed vocabulary",
	"*.locale":    "zh-Hans or en",

	"system_state.key": "names of the program's own cursors",

	"tenants.id":             "names the customer, not a person",
	"tenants.name":           "the customer's company name",
	"tenants.secret_wrapped": "wrapped by the key store, which isn't in the database",

	"user_sessions.token_hash":   "SHA-256 of 32 random bytes; nothing personal goes in",
	"sign_in_links.token_hash":   "SHA-256 of 32 random bytes; nothing personal goes in",
	"portal_links.token_hash":    "SHA-256 of 32 random bytes; nothing personal goes in",
	"portal_sessions.token_hash": "SHA-256 of 32 random bytes; nothing personal goes in",
	"erasures.progress_hash":     "SHA-256 of 32 random bytes; nothing personal goes in",
	"agents.key_hash":            "SHA-256 of 32 random bytes; nothing personal goes in",
	"agents.key_prefix":          "the first characters of an API key, to tell keys apart",
	"agents.name":                "name of a module, written by its operator",
	"agents.module":              "name of a module, written by its operator",

	"attribute_defs.key":          "the dictionary describes fields; it holds no person's value",
	"attribute_defs.label_zh":     "the dictionary describes fields; it holds no person's value",
	"attribute_defs.label_en":     "the dictionary describes fields; it holds no person's value",
	"attribute_defs.json_schema":  "the dictionary describes fields; it holds no person's value",
	"attribute_defs.sensitivity":  "one word of a fixed vocabulary",
	"attribute_defs.purpose_zh":   "the dictionary describes fields; it holds no person's value",
	"attribute_defs.purpose_en":   "the dictionary describes fields; it holds no person's value",
	"attribute_defs.lawful_basis": "one word of a fixed vocabulary",
	"attribute_defs.rule":         "one word of a fixed vocabulary",
	"attribute_defs.bands":        "the bands' names and borders; no person's value",

	"policy_rules.ptype": "policy: roles, ids, categories and actions alone",
	"policy_rules.sub":   "policy: roles, ids, categories and actions alone",
	"policy_rules.mod":   "policy: roles, ids, categories and actions alone",
	"policy_rules.cat":   "policy: roles, ids, categories and actions alone",
	"policy_rules.act":   "policy: roles, ids, categories and actions alone",
	"policy_rules.eft":   "policy: roles, ids, categories and actions alone",

	"audit_events.actor_kind": "one word of a fixed vocabulary",
	"audit_events.actor_id":   "an agent's or user's id, or a subject's pseudonym",
	"audit_events.actor_role": "a role's name",
	"audit_events.ip":         "staff and agents answer for their actions; empty when the person acted",
	"audit_events.user_agent": "staff and agents answer for their actions; empty when the person acted",
	"audit_events.action":     "one dotted word of a fixed vocabulary",
	"audit_events.object":     "kind and id; audit.Event.Check refuses anything else",
	"audit_events.pseudonym":  "HMAC of the subject's random id under a key outside the database",
	"audit_events.request_id": "random, made by the program",
	"audit_events.commitment": "salted HMAC; the salt is sealed with the payload",
	"audit_events.leaf":       "hash over envelope, ciphertext and commitment",

	"erasures.pseudonym":    "HMAC of the subject's random id under a key outside the database",
	"erasures.scope":        "one word of a fixed vocabulary",
	"erasures.state":        "one word of a fixed vocabulary",
	"erasures.requested_by": "one word of a fixed vocabulary: subject, user, agent",
	"erasures.counts":       "numbers by store",
	"erasures.remaining":    "numbers by store",
	"receipts.body":         "pseudonym, counts and times; handed to anyone who holds its id",
	"receipts.signature":    "Ed25519 over the body",
	"receipts.public_key":   "public",
	"subjects.pseudonym":    "HMAC of the subject's random id under a key outside the database",

	"knowledge.kind":         "one word of a fixed vocabulary",
	"knowledge.content":      "open mode: shared text of a namespace that belongs to no person",
	"knowledge.content_hash": "open mode: finds the same shared text again",

	"knowledge_vectors.model":  "name of an encoder",
	"knowledge_vectors.vector": "open mode: of a shared text that belongs to no person",

	"memories.kind":         "one word of a fixed vocabulary",
	"memories.layer":        "one word of a fixed vocabulary",
	"turns.role":            "one word of a fixed vocabulary",
	"segment_deltas.change": "one word of a fixed vocabulary",
	"recalls.decision":      "one word of a fixed vocabulary",
	"recalls.degraded":      "words of a fixed vocabulary",
	"erased_tokens.kind":    "one word of a fixed vocabulary",

	"goose_db_version.tstamp": "when a migration ran",
}
