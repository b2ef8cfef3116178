type Members = Readonly<Record<string, unknown>>

/** Whether every text in a JSON value is well-formed: half a surrogate pair cannot be sent as UTF-8. */
export function isWellFormedDeep(value: unknown): boolean {
  // A stack instead of recursion, because a caller's JSON can be deep.
  const stack = [value]
  while (stack.length > 0) {
    const one = stack.pop()
    if (typeof one === 'string') {
      if (!one.isWellFormed()) return false
    } else if (one !== null && typeof one === 'object') {
      for (const name of Object.keys(one)) stack.push(name, (one as Members)[name])
    }
  }
  return true
}
