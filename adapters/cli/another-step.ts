/** Verbs that change something, by what they do. */
const VERBS: readonly string[] = [
  'create add new open post submit make register',
  'update edit set modify change patch rename move',
  'delete remove rm destroy prune clean',
  'merge',
  'close',
  'upload attach push publish',
  'assign',
  'label',
  'notify send comment',
  'restart deploy scale',
]
const MEANING: ReadonlyMap<string, string> = new Map(
  VERBS.flatMap(verbs => verbs.split(' ').map(verb => [verb, verbs] as const)),
)

/** `failed to delete remote branch …`, `pull request update failed: …` */
const FAILED_STEP =
  /\b(?:failed|unable|could not|couldn't|cannot|error) (?:to |when |while )?([a-z]{2,10}?)(?:ing)? |\b([a-z]{2,10}) failed\b/i

/**
 * Whether the message is about another change than the command's own, so that the command itself may have been
 * done: `gh pr merge` that failed to delete a branch, `gh pr create` whose update failed.
 */
export function isAnotherStep(command: readonly string[], lines: readonly string[]): boolean {
  const own = command.map(word => MEANING.get(word.toLowerCase())).filter(Boolean)
  if (own.length === 0) return false
  const [, before, after] =
    lines.map(line => FAILED_STEP.exec(line.slice(0, 200))).find(Boolean) ?? []
  const step = MEANING.get((before ?? after ?? '').toLowerCase())
  return step !== undefined && !own.includes(step)
}
