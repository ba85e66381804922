// Package models owns the rows: GORM structs, queries, and the guards that hold
// the data rules of the design (R1–R8) whatever a caller forgets.
//
//   - Every statement on a tenant table is limited to the tenant of its context
//     and fails without one (tenant.go); statements that GORM can't be made to
//     limit are refused (guard.go).
//   - Every write happens in InTx and records an audit event in the same
//     transaction, or nothing is written (tx.go).
//   - A mutable row has a version; a stale write is ErrStale (write.go).
//
// models is the only importer of GORM. It imports audit, keys and policy, seals
// audit payloads, and never opens or seals anything else: it is handed sealed
// values and hands sealed values back.
package models
