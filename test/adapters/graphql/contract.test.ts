import { createGraphqlAdapter } from '../../../adapters/graphql/index.ts'
import { type AdapterWorld, adapterContract } from '../../contract/adapter.ts'
import { type Answerer, sendJson, startServer } from '../http/echo-server.ts'

adapterContract('graphql', startGraphqlWorld)

async function startGraphqlWorld(): Promise<AdapterWorld> {
  const server = await startServer(answer)
  const answerLimit = 3_000_000
  const headers = { authorization: 'Bearer ${credential}' }
  return {
    adapter: createGraphqlAdapter(),
    upstream: { url: `${server.origin}/graphql`, headers, max_response_bytes: answerLimit },
    answerLimit,
    cards: {
      echo: {
        document: 'mutation ($value: String!) { value(value: $value) }',
        variables: { value: 'input.value' },
      },
      whoami: { document: '{ credential }' },
      hang: { document: '{ hang }' },
      flood: { document: '{ flood }' },
      blab: { document: '{ blab }' },
      dies: { document: 'mutation { dies }' },
      absent: { upstream: { url: 'http://127.0.0.1:1/graphql' }, card: { document: '{ a }' } },
    },
    hanging: () => server.seen.filter(({ body }) => body.includes('{hang}')).length,
    alive: () => server.sockets(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const answer: Answerer = ({ headers, body }, response) => {
  const { query, variables } = JSON.parse(body)
  switch (query) {
    case '{credential}':
      return sendJson(response, { data: { credential: headers.authorization ?? null } })
    case '{flood}':
      return void response.writeHead(200).end('x'.repeat(3_100_000))
    case '{blab}':
      return sendJson(response, { errors: [{ message: `bad ${headers.authorization}` }] })
    case 'mutation{dies}':
      return void response.destroy()
    case '{hang}':
      return
    default:
      return sendJson(response, { data: { value: variables.value } })
  }
}
