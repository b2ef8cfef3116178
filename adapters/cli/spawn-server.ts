/**
 * The helper process. It is small, so it starts a program in a millisecond or two, and the gateway's event
 * loop keeps running meanwhile. However the gateway ends, the helper kills everything it started.
 */
import { createInProcessRunner } from './run-process.ts'
import type { HelperEvent, HelperRequest } from './spawn-protocol.ts'

const runner = createInProcessRunner()
const running = new Map<number, AbortController>()

process.on('message', (request: HelperRequest) => {
  if (request.kind === 'run') void run(request)
  else running.get(request.id)?.abort(new DOMException('', REASONS[request.why]))
})

/** The error names that a runner expects for each reason. */
const REASONS = { deadline: 'TimeoutError', cancelled: 'AbortError' } as const

process.on('disconnect', () => {
  void runner.close().finally(() => process.exit())
})

// Ctrl-C reaches the whole foreground process group, but the gateway decides when its calls end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function run({ id, spec }: Extract<HelperRequest, { kind: 'run' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  const { pid, result, gone } = runner.run(spec, controller.signal)
  if (pid !== undefined) report({ kind: 'started', id, pid })
  report({ kind: 'result', id, result: await result })
  await gone
  running.delete(id)
  report({ kind: 'gone', id })
}

function report(event: HelperEvent): void {
  // Not connected: the gateway is gone.
  if (process.connected) process.send?.(event, undefined, undefined, () => {})
}
