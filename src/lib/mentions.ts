/** Endings of names that say what kind of value they hold. */
const KIND = /^(?:number|id|name|slug|file)s?$/

/** The words of a member: `teamReviewers` → team, reviewer. Those that only say what kind of value it is are left out. */
export function wordsOf(member: string): readonly string[] {
  const words = member.split(/(?=[A-Z])|[^A-Za-z0-9]+/).map(word => word.toLowerCase())
  const telling = words.filter(word => !KIND.test(word))
  return (telling.length > 0 ? telling : words).map(singular)
}

/** Whether the name of a member says more than that it is a name or a number. */
export function isTelling(member: string): boolean {
  return wordsOf(member).some(word => !KIND.test(word))
}

/** Whether a sentence has all the words of a member, as `Title is too long` has that of `title`. */
export function mentions(sentence: string, member: string): boolean {
  const said = saidIn(sentence)
  return wordsOf(member).every(word => said.has(word))
}

/** The words of a sentence, in the singular. */
export function saidIn(sentence: string): ReadonlySet<string> {
  const words = sentence.match(/[A-Za-z][a-z]*|[0-9]+/g) ?? []
  return new Set(words.map(word => singular(word.toLowerCase())))
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}
