import { Type } from '@sinclair/typebox'

/** The place of the id in the template of a link. */
const PLACE = '{trace_id}'

/** The setting: a template that may put the id into path, query or fragment, but not into the host. */
export const TraceUrl = Type.String({
  pattern: String.raw`^$|^https?://[^/{}?#\s]+/[^\s]*\{trace_id\}[^\s]*$`,
  description: 'Where the inspector opens a trace, such as https://traces.example.com/{trace_id}.',
})

/** The address at which a trace can be opened; null without a template or a trace. */
export function traceLink(template: string, traceId: string | undefined): string | null {
  if (template === '' || traceId === undefined) return null
  return template.replaceAll(PLACE, () => encodeURIComponent(traceId))
}
