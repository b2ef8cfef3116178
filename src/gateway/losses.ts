import { counted } from '../lib/text.ts'
import type { RunningEngine } from './create-engine.ts'

/** The facts that a stopped gateway could not keep anywhere, by their number. */
export interface Losses {
  readonly records: number
  readonly decisions: number
  readonly returns: number
}

const NONE: Losses = { records: 0, decisions: 0, returns: 0 }

export function lossesOf({
  journal,
  audit,
  unreturned,
}: Pick<RunningEngine, 'journal' | 'audit' | 'unreturned'>): Losses {
  return {
    records: journal.health().dropped,
    decisions: audit.audit.lost,
    returns: unreturned(),
  }
}

/** The losses of several workers together. */
export function sumOf(all: readonly Losses[]): Losses {
  return all.reduce(
    (sum, { records, decisions, returns }) => ({
      records: sum.records + records,
      decisions: sum.decisions + decisions,
      returns: sum.returns + returns,
    }),
    NONE,
  )
}

/** One text for each kind; none if everything is kept. */
export function describeLosses({ records, decisions, returns }: Losses): readonly string[] {
  return [
    ...(records > 0 ? [`the journal has lost ${counted(records, 'record')}`] : []),
    ...(decisions > 0 ? [`the audit has lost ${counted(decisions, 'decision')}`] : []),
    ...(returns > 0
      ? [`${counted(returns, 'approval')} left used, though nothing was changed`]
      : []),
  ]
}

/** The last line of a gateway that could not keep everything, or that lost a worker at its stop. */
export function describeBadEnd(losses: Losses): string {
  const texts = describeLosses(losses)
  const what = texts.length > 0 ? `: ${texts.join('; ')}` : ''
  return `the gateway has not ended well${what}`
}
