type Members = Readonly<Record<string, unknown>>

/** Whether every text in a JSON value is well-formed: half a surrogate pair cannot be sent as UTF-8. */
export function isWellFormedDeep(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  // A stack instead of recursion, because a caller's JSON can be deep.
  const stack: object[] = []
  if (typeof value === 'object' && value !== null) stack.push(value)
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (!areMembersWellFormed(one as Members, stack)) return false
  }
  return true
}

/** Leaves the members that are objects to the caller. */
function areMembersWellFormed(object: Members, left: object[]): boolean {
  for (const name of Object.keys(object)) {
    const member = object[name]
    if (!name.isWellFormed()) return false
    if (typeof member === 'string' && !member.isWellFormed()) return false
    if (typeof member === 'object' && member !== null) left.push(member)
  }
  return true
}
