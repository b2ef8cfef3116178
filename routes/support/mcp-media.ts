/** The media types of the answers of `/mcp`. */

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'
/** Both, as the protocol asks of its clients. */
export const BOTH_TYPES = `${JSON_TYPE}, ${EVENTS}`

/** How a client takes an answer: as the protocol's library writes it, or only in one form. */
export type Form = 'any' | 'json' | 'events'

/**
 * Chooses the form by the Accept header. The protocol asks for both types; clients that name one, or only all types, are
 * served too. @returns null when neither type will do
 */
export function formOf(accept: string | undefined): Form | null {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf)
  const takes = (...names: string[]) =>
    ranges.some(range => range !== null && names.includes(range))
  const json = takes(JSON_TYPE, 'application/*')
  const events = takes(EVENTS, 'text/*')
  if (json && events) return 'any'
  if (events) return 'events'
  return json || takes('*/*') ? 'json' : null
}

/** Null for a range with the weight 0, which refuses the type. */
function rangeOf(range: string): string | null {
  const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
  const refused = parameters.some(parameter => /^q=0(?:\.0*)?$/.test(parameter))
  return refused ? null : name
}

/** Writes an answer in the form that the client takes. Its server sends no message before the last. */
export async function inForm(response: Response, form: Form): Promise<Response> {
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  if (response.body === null || type === undefined) return response
  if (form === 'json' && type === EVENTS) return await toJson(response)
  if (form === 'events' && type === JSON_TYPE && response.ok) return await toEvents(response)
  return withType(response, response.body, type)
}

/** Several messages are the answer to several: a list. */
async function toJson(response: Response): Promise<Response> {
  const lines = (await response.text()).split('\n')
  const messages = lines.filter(line => line.startsWith(DATA)).map(line => line.slice(DATA.length))
  // The protocol answers no cancelled request.
  if (messages.length === 0) return new Response(null, { status: 204 })
  const body = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join()}]`
  return withType(response, body, JSON_TYPE)
}

const DATA = 'data: '

async function toEvents(response: Response): Promise<Response> {
  return withType(response, `event: message\ndata: ${await response.text()}\n\n`, EVENTS)
}

function withType(
  { status, headers }: Response,
  body: string | ReadableStream,
  type: string,
): Response {
  const own = new Headers(headers)
  own.set('content-type', `${type}; charset=utf-8`)
  own.delete('content-length')
  return new Response(body, { status, headers: own })
}
