import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { CheckRun } from './store/actions/entities.ts'
import type { World } from './world.ts'

const secret = randomBytes(16)
const ONE_MINUTE = 60_000

/** Where the log of a job can be had: whoever knows the address may read it, for a minute. */
export function logUrl(origin: string, job: CheckRun, now: number): string {
  const expires = now + ONE_MINUTE
  const query = new URLSearchParams({
    se: String(expires),
    sig: signatureOf(job.nodeId, String(expires)),
  })
  return `${origin}/_storage/logs/${job.nodeId}?${query.toString()}`
}

interface LogRequest {
  Params: { id: string }
  Querystring: { se?: string; sig?: string }
}

/** The storage behind the API: it knows signatures, and nothing of tokens. */
export async function storage(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  app.get<LogRequest>('/_storage/logs/:id', (request, reply) => {
    const { se = '0', sig } = request.query
    if (sig !== signatureOf(request.params.id, se) || Number(se) < Date.now()) {
      return reply
        .code(403)
        .type('application/xml')
        .send('<Error><Code>AuthenticationFailed</Code></Error>')
    }
    const job = world.store.node(request.params.id)
    if (job?.kind !== 'CheckRun' || job.log === null) return reply.code(404).send('')
    return reply.type('text/plain; charset=utf-8').send(job.log)
  })
}

function signatureOf(...parts: string[]): string {
  return createHmac('sha256', secret).update(parts.join('\n')).digest('base64url')
}
