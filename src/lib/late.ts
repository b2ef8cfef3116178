/** One function for each member of an object. */
export type Makers<Made extends object> = { readonly [Name in keyof Made]: () => Made[Name] }

export function makeAll<Made extends object>(makers: Makers<Made>): Made {
  const names = Object.keys(makers) as (keyof Made)[]
  return Object.fromEntries(names.map(name => [name, makers[name]()])) as Made
}

/** Adds members to an object, and makes each when it is read first. */
export function addLate<Own extends object, Made extends object>(
  own: Own,
  makers: Makers<Made>,
): Own & Made {
  for (const name of Object.keys(makers) as (keyof Made)[]) {
    Object.defineProperty(own, name, { enumerable: true, get: once(makers[name]) })
  }
  return own as Own & Made
}

/** Forgets the function after its first call, and with it all that only the function needs. */
export function once<Value>(make: () => Value): () => Value {
  let pending: (() => Value) | null = make
  let made: Value
  return () => {
    if (pending !== null) {
      made = pending()
      pending = null
    }
    return made
  }
}
