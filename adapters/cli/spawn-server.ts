/**
 * The helper process. Being small, it starts programs in a millisecond or two, and while it does so the
 * gateway's event loop runs on. When the gateway is gone, however it went, so is everything it started.
 */
import { createInProcessRunner } from './run-process.ts'
import type { HelperEvent, HelperRequest } from './spawn-protocol.ts'

const runner = createInProcessRunner()
const running = new Map<number, AbortController>()

process.on('message', (request: HelperRequest) => {
  if (request.kind === 'run') void run(request)
  else running.get(request.id)?.abort(new DOMException('', REASONS[request.why]))
})

/** The names by which a runner tells a deadline from a caller who left. */
const REASONS = { deadline: 'TimeoutError', cancelled: 'AbortError' } as const

process.on('disconnect', () => {
  void runner.close().finally(() => process.exit())
})

// Ctrl-C reaches the whole foreground group; the gateway decides when its calls have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function run({ id, spec }: Extract<HelperRequest, { kind: 'run' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  const { pid, result, gone } = runner.run(spec, controller.signal)
  if (pid !== undefined) tell({ kind: 'started', id, pid })
  tell({ kind: 'result', id, result: await result })
  await gone
  running.delete(id)
  tell({ kind: 'gone', id })
}

function tell(event: HelperEvent): void {
  // Nobody listens any more once the gateway is gone.
  if (process.connected) process.send?.(event, undefined, undefined, () => {})
}
