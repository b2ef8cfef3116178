import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { parseFaults } from './faults.ts'
import { parseAs, SyntaxProblem } from './parse.ts'
import { notFound } from './rest/errors.ts'
import { describeStore } from './state.ts'
import { remaining } from './store/tokens.ts'
import type { World } from './world.ts'

const QuotaChange = Type.Object(
  {
    token: Type.String(),
    resource: Type.Union([
      Type.Literal('core'),
      Type.Literal('graphql'),
      Type.Literal('search'),
      Type.Literal('code_search'),
    ]),
    remaining: Type.Integer({ minimum: 0 }),
    reset_in_s: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
)

const Permissions = Type.Record(
  Type.String(),
  Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
)

const AppChange = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    slug: Type.String({ minLength: 1 }),
    owner: Type.String(),
    public_keys: Type.Array(Type.String(), { description: 'In PEM.' }),
    permissions: Type.Optional(Permissions),
    installed_on: Type.Optional(Type.Array(Type.String())),
    token_life_ms: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)

/** `/_sandbox`: endpoints that inspect the sandbox and inject faults. GitHub has none of them. */
export async function control(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  parseAnyTypeAsJson(app)
  app.addHook('onRequest', async (request, reply) => {
    // A unix socket has no address. Callers on the socket see only what GitHub has.
    if (request.socket.remoteAddress !== undefined) return
    const { status, body } = notFound()
    return reply.code(status).send(body)
  })

  app.get('/_sandbox/log', () => world.log.rows())
  app.delete('/_sandbox/log', (_request, reply) => {
    world.log.clear()
    reply.code(204).send()
  })

  app.get('/_sandbox/state', () => describeStore(world.store))
  app.post('/_sandbox/reset', (_request, reply) => {
    world.reset()
    reply.code(204).send()
  })

  app.get('/_sandbox/faults', () => world.faults.list())
  app.put('/_sandbox/faults', request => {
    world.faults.replace(parseFaults(request.body))
    return world.faults.list()
  })

  app.put('/_sandbox/apps', request => changeApp(world, request.body))

  app.put('/_sandbox/quota', request => {
    const { token, resource, ...change } = parseAs(QuotaChange, request.body, 'quota')
    const principal = world.store.tokens.find(token)
    if (!principal) throw new SyntaxProblem(`quota.token: no such token: ${token}.`)
    const quota = principal.quotas[resource]
    world.store.tokens.setQuota(quota, change.remaining, change.reset_in_s)
    return { limit: quota.limit, remaining: remaining(quota), reset: quota.resetAt / 1000 }
  })
}

/** Adds an app with its installations, or gives one other keys. */
function changeApp({ store }: World, body: unknown) {
  const { public_keys: publicKeys, token_life_ms, ...fields } = parseAs(AppChange, body, 'app')
  const { apps } = store
  apps.tokenLifeMs = token_life_ms ?? apps.tokenLifeMs
  const accountOf = (login: string) => {
    const account = store.accounts.find(login)
    if (account) return account
    throw new SyntaxProblem(`app: no such account: ${login}.`)
  }
  const known = apps.find(String(fields.id))
  const app = known ?? apps.add({ ...fields, owner: accountOf(fields.owner), publicKeys })
  app.publicKeys = publicKeys
  for (const login of fields.installed_on ?? []) {
    const account = accountOf(login)
    if (apps.installationsOf(app).some(one => one.account === account)) continue
    apps.install({ app, account })
  }
  const installations = apps.installationsOf(app)
  return {
    id: app.id,
    client_id: app.clientId,
    installations: installations.map(({ id, account }) => ({ id, account: account.login })),
  }
}

/** `curl -d` sends its body as a form, so every content type is parsed as JSON. */
function parseAnyTypeAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parser = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('*', { parseAs: 'string' }, parser)
}
