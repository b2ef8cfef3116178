import { createRestAdapter } from '../../../adapters/rest/index.ts'
import { type AdapterWorld, adapterContract } from '../../contract/adapter.ts'
import { type Answerer, sendJson, startServer } from '../http/echo-server.ts'

adapterContract('rest', startRestWorld)

async function startRestWorld(): Promise<AdapterWorld> {
  const server = await startServer(answer)
  const answerLimit = 3_000_000
  const headers = { authorization: 'Bearer ${credential}' }
  return {
    adapter: createRestAdapter(),
    upstream: { base_url: `${server.origin}/api`, headers, max_response_bytes: answerLimit },
    answerLimit,
    cards: {
      echo: { method: 'POST', path: '/echo', body: { value: 'input.value' } },
      whoami: { method: 'POST', path: '/whoami' },
      hang: { method: 'POST', path: '/hang' },
      flood: { method: 'POST', path: '/flood' },
      blab: { method: 'POST', path: '/blab' },
      dies: { method: 'POST', path: '/dies', body: { value: 'input.value' } },
      absent: {
        upstream: { base_url: 'http://127.0.0.1:1' },
        card: { method: 'POST', path: '/' },
      },
    },
    hanging: () => server.seen.filter(({ url }) => url === '/api/hang').length,
    alive: () => server.sockets(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const answer: Answerer = ({ url, headers, body }, response) => {
  switch (url) {
    case '/api/echo':
      return sendJson(response, JSON.parse(body))
    case '/api/whoami':
      return sendJson(response, { credential: headers.authorization ?? null })
    case '/api/flood':
      return void response.writeHead(200).end('x'.repeat(3_100_000))
    case '/api/blab':
      return sendJson(response, { message: `bad ${headers.authorization}` }, 401)
    case '/api/dies':
      return void response.destroy()
    default:
  }
}
