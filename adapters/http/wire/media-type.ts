/** RFC 9110 §8.3.1, without quoted parameters, which no media type for a body needs. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(?:; ?[\w-]{1,40}=[\w.+:/-]{1,80}){0,3}$/

export function isMediaType(text: string): boolean {
  return text.length <= 300 && MEDIA_TYPE.test(text)
}

/** The type without its parameters, in lower case: `text/csv`. Empty when there is none. */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').slice(0, 200).split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function isJsonType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')
}
