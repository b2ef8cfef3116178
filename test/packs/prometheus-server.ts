import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

export interface PrometheusServer extends AsyncDisposable {
  readonly url: string
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

/** A real Prometheus on a free port, which scrapes itself and has evaluated its rules. */
export async function startPrometheus(): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const address = `127.0.0.1:${await freePort()}`
  await writeFile(join(directory, 'rules.yml'), RULES)
  await writeFile(join(directory, 'prometheus.yml'), configFor(address))
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
    () => countSamples(url),
    count => count > 0,
  ).catch(async error => {
    await dispose()
    throw error
  })
  return { url, [Symbol.asyncDispose]: dispose }
}

function configFor(address: string): string {
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: self
    static_configs: [{ targets: ['${address}'] }]
`
}

/** The recorded rule needs a scrape and an evaluation before it has a sample. */
async function countSamples(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/query?query=job:up:sum`).catch(() => null)
  if (!answer?.ok) return 0
  const { data } = (await answer.json()) as { data: { result: readonly unknown[] } }
  return data.result.length
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
