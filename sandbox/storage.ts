import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { logFilesOf } from './store/actions/logs.ts'
import type { Store } from './store/store.ts'
import type { World } from './world.ts'
import { zip } from './zip.ts'

const secret = randomBytes(16)
const ONE_MINUTE = 60_000

/** A signed address for a file. Anyone who has it can read the file for one minute. */
export function storageUrl(origin: string, shelf: Shelf, id: string, now: number): string {
  const expires = now + ONE_MINUTE
  const query = new URLSearchParams({
    se: String(expires),
    sig: signatureOf(shelf, id, String(expires)),
  })
  return `${origin}/_storage/${shelf}/${id}?${query.toString()}`
}

interface Stored {
  readonly type: string
  readonly content: string | Buffer
}

/** The stored files: logs, artifacts and release assets. */
const shelves = {
  logs(store: Store, id: string): Stored | undefined {
    const job = store.node(id)
    if (job?.kind !== 'CheckRun' || job.log === null) return undefined
    return { type: 'text/plain; charset=utf-8', content: job.log }
  },
  runs(store: Store, id: string): Stored | undefined {
    const run = store.node(id)
    if (run?.kind !== 'WorkflowRun') return undefined
    return { type: 'application/zip', content: zip(logFilesOf(run)) }
  },
  // No test reads an artifact's content. It only names the artifact and its workflow.
  artifacts(store: Store, id: string): Stored | undefined {
    const artifact = store.workflowRuns
      .all()
      .flatMap(({ artifacts }) => artifacts)
      .find(({ nodeId }) => nodeId === id)
    const text = `${artifact?.name} of ${artifact?.run.workflow.name}\n`
    return artifact && { type: 'application/zip', content: zip(new Map([['content.txt', text]])) }
  },
  assets(store: Store, id: string): Stored | undefined {
    const asset = store.repositories
      .all()
      .flatMap(({ releases }) => releases.flatMap(({ assets }) => assets))
      .find(({ nodeId }) => nodeId === id)
    return asset && { type: 'application/octet-stream', content: asset.content }
  },
}
export type Shelf = keyof typeof shelves

interface FileRequest {
  Params: { shelf: string; id: string }
  Querystring: { se?: string; sig?: string }
}

/** The file storage behind the API. It checks signatures, not tokens. */
export async function storage(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  app.get<FileRequest>('/_storage/:shelf/:id', (request, reply) => {
    const { se = '0', sig } = request.query
    const { shelf, id } = request.params
    if (sig !== signatureOf(shelf, id, se) || Number(se) < Date.now()) {
      return reply
        .code(403)
        .type('application/xml')
        .send('<Error><Code>AuthenticationFailed</Code></Error>')
    }
    const stored = shelves[shelf as Shelf](world.store, id)
    if (!stored) return reply.code(404).send('')
    return reply.type(stored.type).send(stored.content)
  })
}

function signatureOf(...parts: string[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest('base64url')
}
