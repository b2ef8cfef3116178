/** The answers of the upstream, by the beginning of the path; the first that matches counts. All of them stand for about 2 kB. */
import { githubHeaders, graphqlJson, repositoryJson } from './repository.ts'

export interface UpstreamAnswer {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** GitHub's usual words while it is down. */
const DOWN = JSON.stringify({ message: 'No server is currently available.' })
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

export function upstreamAnswers(): readonly UpstreamAnswer[] {
  return [
    { path: '/down/', status: 503, headers: JSON_TYPE, body: DOWN },
    { path: '/graphql', status: 200, headers: JSON_TYPE, body: graphqlJson() },
    { path: '/v1/chat/', status: 200, headers: JSON_TYPE, body: completionJson() },
    { path: '/', status: 200, headers: githubHeaders(), body: repositoryJson() },
  ]
}

/** The words that fill the completion. */
export const WORDS = 'An answer of a model. '

/** A completion as OpenAI sends it, as long as the repository: a gateway for models takes nothing else. */
function completionJson(): string {
  const completion = (content: string) =>
    JSON.stringify({
      id: 'chatcmpl-9f3aXk2LhQ',
      object: 'chat.completion',
      created: 1_772_000_000,
      model: 'small',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 400, total_tokens: 412 },
    })
  const missing = repositoryJson().length - completion('').length
  return completion(WORDS.repeat(Math.ceil(missing / WORDS.length)).slice(0, missing))
}
