import type { AdmissionLimits } from '../../routes/support/admission.ts'
import type { Engine } from '../engine/engine.ts'
import type { Settings } from './config.ts'

/** The limits of a gateway on calls that begin, whichever door they come through. */
export function admissionLimits(
  { journal }: Pick<Engine, 'journal'>,
  settings: Pick<Settings, 'max_calls' | 'max_event_loop_lag_ms'>,
): AdmissionLimits {
  const { max_calls: maxCalls, max_event_loop_lag_ms: maxLagMs } = settings
  return { running: () => journal.running(), maxCalls, maxLagMs }
}
