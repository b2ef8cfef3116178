import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { requireOperator } from '../src/access/operator.ts'
import type { Reloaded } from '../src/cards/capabilities.ts'
import type { ReloadCards } from '../src/cards/reload.ts'
import { GatewayError } from '../src/model/errors.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const Ids = (description: string) => Type.Array(Type.String(), { description })

const CardsReloaded = Type.Object({
  capabilities: Type.Integer({ description: 'How many there are now.' }),
  added: Ids('Capabilities that are new.'),
  changed: Ids('Capabilities whose card has changed.'),
  removed: Ids('Capabilities that are gone.'),
  upstreams: Ids('Upstreams that are new, gone, or whose upstream.yaml has changed.'),
})

const RELOAD = {
  schema: {
    tags: ['operating'],
    operationId: 'reloadCards',
    summary: 'Load the cards again, and show what has changed (operators)',
    description:
      'Does what SIGHUP does to the cards of this gateway. Faulty cards change nothing: VALIDATION names each fault in details.problems.',
    body: Type.Object({}, { additionalProperties: false }),
    response: answersOf(CardsReloaded),
  },
}

/** Loads the cards again. */
export function cardRoutes({
  reload,
}: {
  readonly reload: ReloadCards
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.post('/v1/cards/reload', RELOAD, async request => {
      requireOperator(request.caller, 'reload the cards')
      const reloaded = await reload(request.caller.name)
      if (!reloaded.ok) throw faulty(reloaded.problems)
      return success(request, { capabilities: reloaded.capabilities, ...reloaded.changes })
    })
    done()
  }
}

function faulty(problems: Extract<Reloaded, { ok: false }>['problems']): GatewayError {
  const [first] = problems
  const at = first ? `${first.file}${first.line === null ? '' : `:${first.line}`}` : 'cards'
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new GatewayError(
    'VALIDATION',
    `The cards are faulty, and the previous ones stay in use. ${at}: ${first?.message}${more}. ${first?.fix}`,
    { source: 'caller', details: { problems } },
  )
}
