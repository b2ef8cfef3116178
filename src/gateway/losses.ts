import type { RunningEngine } from './create-engine.ts'

/** The facts that a stopped gateway could not keep anywhere, one text for each kind. */
export function lossesOf({
  journal,
  audit,
  unreturned,
}: Pick<RunningEngine, 'journal' | 'audit' | 'unreturned'>): readonly string[] {
  const { dropped } = journal.health()
  const { lost } = audit.audit
  const returns = unreturned()
  return [
    ...(dropped > 0 ? [`the journal has lost ${dropped} records`] : []),
    ...(lost > 0 ? [`the audit has lost ${lost} decisions`] : []),
    ...(returns > 0 ? [`${returns} approvals stay used, though their calls changed nothing`] : []),
  ]
}
