import type { CDPSession } from 'playwright-core'

export interface LongestTask {
  /** How long it had a core, which does not depend on what else the machine does. */
  readonly cpuMs: number
  /** How long the page could not answer. */
  readonly wallMs: number
}

/** The members that are read of an event of Chromium's trace; times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Finds the longest task of the page's main thread in a trace of all that happens while `run` runs. */
export async function longestTaskOf(
  client: CDPSession,
  run: () => Promise<unknown>,
): Promise<LongestTask> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]))
  client.on('Tracing.dataCollected', collect)
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  await run()
  const complete = new Promise(resolve => {
    client.once('Tracing.tracingComplete', resolve)
  })
  await client.send('Tracing.end')
  await complete
  client.off('Tracing.dataCollected', collect)
  const tasks = tasksOfPages(events)
  if (tasks.length === 0) throw new Error('the trace of Chromium has no task of the page')
  return {
    cpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)),
    wallMs: Math.max(...tasks.map(({ dur = 0 }) => dur / 1000)),
  }
}

function tasksOfPages(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const names = events.filter(({ name }) => name === 'thread_name')
  const pages = new Set(
    names.filter(({ args }) => args.name === 'CrRendererMain').map(event => threadOf(event)),
  )
  return events.filter(
    event => event.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(event)),
  )
}
