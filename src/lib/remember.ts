import { BoundedMap } from './bounded-map.ts'

const MOST_TEXTS = 500
const LONGEST = 1000

/**
 * Keeps what a function has made of the last few hundred texts. While a service is down, thousands of calls get the same message.
 * The function must depend on the text alone.
 */
export function remember<T>(make: (text: string) => T): (text: string) => T {
  const made = new BoundedMap<string, { readonly value: T }>(MOST_TEXTS)
  return text => {
    if (text.length > LONGEST) return make(text)
    const known = made.get(text)
    if (known) return known.value
    const value = make(text)
    made.set(text, { value })
    return value
  }
}
