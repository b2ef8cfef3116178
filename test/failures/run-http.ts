import { createGraphqlAdapter } from '../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../adapters/rest/index.ts'
import type { CallContext } from '../../src/model/adapter.ts'
import type { Reply } from '../../src/model/reply.ts'
import { callContext, testCompiler, timeoutSignal } from '../contract/adapter.ts'
import { SHORT_FORM, tokenCredential } from '../support/credentials.ts'
import { answerBytes, endsEarly } from './bytes.ts'
import type { CaseRunner, FailureCase, Observed } from './case.ts'
import { outcomeOf } from './outcome.ts'
import { type Responder, startRawServer } from './raw-server.ts'
import { rulesFor } from './upstream-rules.ts'

/** Replays a REST or GraphQL case: a raw server sends exactly the observed answer. */
export const runHttpCase: CaseRunner = async failureCase => {
  const { observed } = failureCase
  await using server = await startRawServer((socket, index) =>
    responder(observed, server.origin)(socket, index),
  )
  const headers = Object.entries(observed.headers ?? {})
  const etag = headers.find(([name]) => /^etag$/i.test(name))?.[1]
  // A 304 answers an If-None-Match, so send one.
  const context = observed.status === 304 ? { etag: String(etag ?? '"x"') } : {}
  const reply = await callHttp(failureCase, server.origin, context)
  return [outcomeOf(reply, 'socket')]
}

/** Makes the call of a case at another origin. */
export async function callHttp(
  { route, upstream, observed }: Pick<FailureCase, 'route' | 'upstream' | 'observed'>,
  origin: string,
  context: Partial<CallContext> = {},
): Promise<Reply> {
  const { operation, now_epoch } = observed
  const graphql = route === 'graphql'
  const adapter = graphql ? createGraphqlAdapter() : createRestAdapter()
  const headers = { authorization: 'token ${credential}' }
  const section = graphql ? { url: `${origin}/graphql`, headers } : { base_url: origin, headers }
  const connection = adapter.connect(section, {
    upstream,
    rules: rulesFor(upstream),
    compiler: testCompiler(),
    now: () => (now_epoch === undefined ? Date.now() : now_epoch * 1000),
    schemes: SHORT_FORM,
    searchPath: process.env.PATH ?? '',
  })
  const card = graphql ? graphqlCard(operation) : restCard(observed)
  const call = connection.compile(card, testCompiler(operation))
  try {
    return await call.call(
      { input: {} },
      {
        ...callContext(operation),
        signal: timeoutSignal(10_000),
        credential: tokenCredential('corpus-secret-0123456789'),
        ...context,
      },
    )
  } finally {
    await connection.close()
  }
}

function restCard({ operation, method, request_method }: Observed): unknown {
  const verb = request_method ?? method ?? (operation === 'read' ? 'GET' : 'POST')
  const body = ['POST', 'PUT', 'PATCH'].includes(verb) ? { body: { x: 1 } } : {}
  return { method: verb, path: '/case', ...body }
}

function graphqlCard(operation: Observed['operation']): unknown {
  return { document: operation === 'write' ? 'mutation { change { id } }' : '{ thing { id } }' }
}

/** Sends the observed answer, and for a redirect also the answer before or after it. */
function responder(observed: Observed, origin: string): Responder {
  const answers = [observed]
  const location = Object.entries(observed.headers ?? {}).find(([name]) => /^location$/i.test(name))
  if (observed.redirected) {
    answers.unshift({ operation: observed.operation, status: 301, headers: { location: '/moved' } })
  } else if (location && staysAtOrigin(observed, String(location[1]))) {
    const pathname = URL.parse(String(location[1]), origin)?.pathname ?? String(location[1])
    const headers = { ...observed.headers, [location[0]]: pathname }
    answers[0] = { ...observed, headers }
    answers.push({ operation: observed.operation, status: 200, ...pageAt(pathname) })
  }
  return (socket, index) => {
    const answer = answers[Math.min(index, answers.length - 1)] ?? observed
    socket.write(answerBytes(answer))
    if (endsEarly(answer)) socket.end()
  }
}

/** Serves the target of a redirect: a page with a form where people log in, else the object that was asked for. */
function pageAt(pathname: string): Pick<Observed, 'headers' | 'body' | 'body_text'> {
  if (!/sign[_-]?in|log[_-]?in|\bsso\b/i.test(pathname)) return { body: {} }
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body_text: LOGIN_PAGE }
}

const LOGIN_PAGE = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><form action="/session" method="post">
<input type="text" name="username"><input type="password" name="password"></form></body></html>
`

/** Whether the redirect stays at its origin. A case without a request origin was observed at the target's origin. */
function staysAtOrigin({ request_origin }: Observed, location: string): boolean {
  if (request_origin === undefined) return true
  return URL.parse(location, request_origin)?.origin === new URL(request_origin).origin
}
