import { afterAppliedWork } from '../../adapters/failures/failure.ts'
import { errorChain } from '../../adapters/failures/read/error-chain.ts'
import { breakFailure } from '../../adapters/http/judge/break-failure.ts'
import { exchangeOf } from '../../adapters/http/read/exchange.ts'
import type { Phase } from '../../adapters/http/wire/answer.ts'
import { abortError } from '../../adapters/http/wire/collector.ts'
import { isCutShort } from '../../adapters/http/wire/json.ts'
import { timeUp } from '../contract/adapter.ts'
import { tokenCredential } from '../support/credentials.ts'
import { answerBytes } from './bytes.ts'
import type { ActualOutcome, CaseRunner, FailureCase, Observed } from './case.ts'
import { failureOutcome, outcomeOf } from './outcome.ts'
import { type Responder, startRawServer } from './raw-server.ts'
import { callHttp, runHttpCase } from './run-http.ts'

/**
 * Replays a transport failure: the observed error goes to the classifier, and also through the real
 * adapter if sockets can cause it.
 */
export const runTransportCase: CaseRunner = async failureCase => {
  const { steps } = (failureCase.observed.error ?? {}) as { steps?: readonly Step[] }
  if (steps) return [await runSteps(failureCase, steps)]
  const recipe = RECIPES.find(({ applies }) => applies(failureCase.observed))
  const classified = classify(failureCase)
  return recipe ? [classified, await recipe.run(failureCase)] : [classified]
}

function classify({ observed, upstream }: FailureCase, applied = false): ActualOutcome {
  const { aborted_by } = observed
  const broken = {
    ok: false,
    phase: (observed.phase ?? 'unknown') as Phase,
    // The collector asks the signal why it aborted, because the error may be any.
    error: aborted_by ? abortError(AbortSignal.abort(ABORTS[aborted_by])) : observed.error,
    status: observed.status ?? null,
    headers: {},
    requests: 1,
  } as const
  const now = Date.now()
  const failure = breakFailure(broken, upstream, now, observed.operation)
  const reported = applied ? afterAppliedWork(failure) : failure
  return failureOutcome(reported, exchangeOf(broken, now), 'classifier')
}

/** The reasons that the gateway gives its signals. */
const ABORTS = { gateway_deadline: timeUp(), caller: new Error('gone') } as const

type Step = Pick<Observed, 'status' | 'headers' | 'body' | 'phase' | 'error'>

/** Replays several requests for one piece of work. Steps before a failed one stay applied. */
async function runSteps(failureCase: FailureCase, steps: readonly Step[]): Promise<ActualOutcome> {
  const { operation, now_epoch } = failureCase.observed
  let applied = false
  let last: ActualOutcome | undefined
  for (const step of steps) {
    if (step.error !== undefined)
      return classify({ ...failureCase, observed: { operation, ...step } }, applied)
    const clock = now_epoch === undefined ? {} : { now_epoch }
    const observed: Observed = { operation: applied ? 'read' : operation, ...clock, ...step }
    await using server = await startRawServer(socket => socket.write(answerBytes(observed)))
    const reply = await callHttp({ ...failureCase, route: 'rest', observed }, server.origin)
    if (!reply.ok && applied) {
      return failureOutcome(afterAppliedWork(reply.failure), reply.exchange, 'socket')
    }
    last = outcomeOf(reply, 'socket')
    applied ||= reply.ok
  }
  if (!last) throw new Error('a case of several steps has at least one')
  return last
}

interface Recipe {
  readonly applies: (observed: Observed) => boolean
  readonly run: (failureCase: FailureCase) => Promise<ActualOutcome>
}

/** The head of the observed answer, or of a success. */
function headOf({ status = 200 }: Observed): string {
  return `HTTP/1.1 ${status} Observed\r\ncontent-type: application/json\r\n`
}

/** Failures that sockets can cause, by the innermost code and the phase of the exchange. */
const RECIPES: readonly Recipe[] = [
  {
    applies: observed => innermost(observed).code === 'ECONNREFUSED',
    run: failureCase => callAt(failureCase, 'http://127.0.0.1:1'),
  },
  {
    applies: observed => isAt(observed, 'headers', ['ECONNRESET']),
    run: answering(socket => socket.resetAndDestroy()),
  },
  {
    applies: observed => isAt(observed, 'headers', ['UND_ERR_SOCKET']) && !isHttp2(observed),
    run: answering(socket => socket.end()),
  },
  {
    applies: observed => isAt(observed, 'body', ['UND_ERR_SOCKET', 'ECONNRESET']),
    run: answering((socket, observed) =>
      socket.end(`${headOf(observed)}content-length: 100\r\n\r\n{"a":`),
    ),
  },
  {
    applies: observed =>
      isAt(observed, 'headers', ['UND_ERR_HEADERS_TIMEOUT']) ||
      innermost(observed).name === 'TimeoutError',
    run: stalling(() => {}),
  },
  {
    applies: observed => observed.aborted_by !== undefined && observed.phase === 'headers',
    run: stalling(() => {}),
  },
  {
    applies: observed =>
      isAt(observed, 'body', ['UND_ERR_BODY_TIMEOUT']) ||
      (observed.aborted_by !== undefined && observed.phase === 'body'),
    run: stalling((socket, observed) =>
      socket.write(`${headOf(observed)}content-length: 100\r\n\r\n{"a":`),
    ),
  },
  {
    applies: observed => isAt(observed, 'headers', ['UND_ERR_HEADERS_OVERFLOW']),
    run: answering((socket, observed) =>
      socket.write(`${headOf(observed)}x-long: ${'x'.repeat(100_000)}\r\n\r\n`),
    ),
  },
  {
    applies: observed =>
      innermost(observed).name === 'HTTPParserError' && observed.phase === 'headers',
    run: answering(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  },
  {
    applies: observed => innermost(observed).code === 'ERR_SSL_WRONG_VERSION_NUMBER',
    run: async failureCase => {
      await using server = await startRawServer(socket =>
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      )
      return await callAt(failureCase, server.origin.replace('http:', 'https:'))
    },
  },
  {
    applies: observed => innermost(observed).message.startsWith('redirect count exceeded'),
    run: answering(socket =>
      socket.write('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
    ),
  },
  {
    applies: observed => isAt(observed, 'body', ['Z_DATA_ERROR']),
    run: answering((socket, observed) =>
      socket.write(`${headOf(observed)}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`),
    ),
  },
  {
    applies: observed => innermost(observed).name === 'SyntaxError' && (observed.status ?? 0) < 300,
    run: async failureCase => {
      const headers = { 'content-type': 'application/json' }
      const body_text = isCutShort(innermost(failureCase.observed).message) ? '{"a":' : '<html>'
      const observed = { ...failureCase.observed, headers, body_text }
      const [outcome] = await runHttpCase({ ...failureCase, observed })
      if (!outcome) throw new Error('an HTTP case has an outcome')
      return outcome
    },
  },
  {
    applies: observed => /is an invalid header value/.test(innermost(observed).message),
    run: failureCase => {
      const token = `${failureCase.expect.redact ?? 'secret-token'}\n`
      const credential = tokenCredential(token)
      return callAt(failureCase, 'http://127.0.0.1:1', { credential })
    },
  },
]

type Respond = (socket: Parameters<Responder>[0], observed: Observed) => void

/** Aborts with a timeout, but only after the request has arrived, even on a slow machine. */
function stalling(respond: Respond): Recipe['run'] {
  return async failureCase => {
    const controller = new AbortController()
    await using server = await startRawServer(socket => {
      respond(socket, failureCase.observed)
      // Gives the client time to read what the server has sent: how far it got is part of the case.
      setTimeout(
        () => controller.abort(ABORTS[failureCase.observed.aborted_by ?? 'gateway_deadline']),
        200,
      )
    })
    return await callAt(failureCase, server.origin, { signal: controller.signal })
  }
}

function answering(respond: Respond): Recipe['run'] {
  return async failureCase => {
    await using server = await startRawServer(socket => respond(socket, failureCase.observed))
    return await callAt(failureCase, server.origin)
  }
}

async function callAt(
  failureCase: FailureCase,
  origin: string,
  context: Parameters<typeof callHttp>[2] = {},
): Promise<ActualOutcome> {
  const { operation } = failureCase.observed
  const reply = await callHttp(
    { ...failureCase, route: 'rest', observed: { operation } },
    origin,
    context,
  )
  return outcomeOf(reply, 'socket')
}

function innermost({ error }: Observed) {
  return errorChain(error)[0] ?? { name: '', code: '', message: '' }
}

function isAt(observed: Observed, phase: string, codes: readonly string[]): boolean {
  return observed.phase === phase && codes.includes(innermost(observed).code)
}

function isHttp2(observed: Observed): boolean {
  return innermost(observed).message.startsWith('HTTP/2')
}
