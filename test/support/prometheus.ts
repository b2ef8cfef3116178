import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export interface PrometheusServer extends AsyncDisposable {
  readonly url: string
  /** The samples of an instant query. */
  query(expression: string): Promise<readonly Sample[]>
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

export interface PrometheusOptions {
  readonly job: string
  /** Host and port to scrape. @default its own */
  readonly target?: string
  /** @default none */
  readonly key?: string
  /** In the form of a file of rules. */
  readonly rules: string
}

const RULES = `groups:
  - name: own
    rules:
      - { record: 'job:up:sum', expr: sum by (job) (up) }
      - alert: AlwaysOn
        expr: vector(1)
        labels: { severity: page }
        annotations: { summary: It is always on. }
`

/** Scrapes itself, records one series and has an alert that always fires. */
const ITSELF: PrometheusOptions = { job: 'self', rules: RULES }

/** A real Prometheus on a free port, which has scraped its target and evaluated its rules. */
export async function startPrometheus(
  options: PrometheusOptions = ITSELF,
): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const address = `127.0.0.1:${await freePort()}`
  await writeFile(join(directory, 'rules.yml'), options.rules)
  await writeFile(join(directory, 'prometheus.yml'), configFor(options, address))
  const child = spawn(
    'prometheus',
    [
      '--config.file=prometheus.yml',
      `--web.listen-address=${address}`,
      '--storage.tsdb.path=data',
      '--log.level=error',
    ],
    { cwd: directory, stdio: 'ignore' },
  )
  const url = `http://${address}`
  const dispose = async () => {
    await stop(child)
    await rm(directory, { recursive: true, force: true })
  }
  await until(
    () => query(url, options === ITSELF ? 'job:up:sum' : 'up == 1'),
    ({ length }) => length > 0,
  ).catch(async error => {
    await dispose()
    throw error
  })
  return { url, query: expression => query(url, expression), [Symbol.asyncDispose]: dispose }
}

function configFor({ job, target, key }: PrometheusOptions, address: string): string {
  const authorization = key === undefined ? '' : `\n    authorization: { credentials: '${key}' }`
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: ${job}${authorization}
    static_configs: [{ targets: ['${target ?? address}'] }]
`
}

/** None while the server is not up. */
async function query(url: string, expression: string): Promise<readonly Sample[]> {
  const address = `${url}/api/v1/query?query=${encodeURIComponent(expression)}`
  const answer = await fetch(address).catch(() => null)
  if (!answer?.ok) return []
  const { data } = (await answer.json()) as { data: { result: readonly Sample[] } }
  return data.result
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
