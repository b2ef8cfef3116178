/** One media range of an Accept header. */
interface Range {
  readonly type: string
  readonly quality: number
  /** The dialect that it asks for; null for the usual one. */
  readonly profile: string | null
}

const PROBLEM = 'application/problem+json'
const OURS = ['application/json', PROBLEM, 'application/*', '*/*']

/**
 * The dialect that an Accept header prefers (RFC 9110, section 12.5.1): `application/json; profile="compact"`, or
 * `application/problem+json`, which is the dialect `problem`. Null if it prefers none, or accepts plain JSON as much.
 */
export function acceptedProfile(accept: string | undefined): string | null {
  if (accept === undefined || !/profile|problem/i.test(accept)) return null
  const ranges = accept.slice(0, MAX_LENGTH).split(',').map(toRange).filter(isOurs)
  const best = Math.max(...ranges.map(({ quality }) => quality))
  const preferred = ranges.filter(({ quality }) => quality === best)
  const named = preferred.find(({ profile }) => profile !== null && profile !== 'problem')
  if (named) return named.profile
  // A client that takes both forms of a failure wants the envelope.
  return preferred.some(({ profile }) => profile === null) ? null : (preferred[0]?.profile ?? null)
}

const MAX_LENGTH = 2000

function isOurs({ type, quality }: Range): boolean {
  return quality > 0 && OURS.includes(type)
}

function toRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim())
  const valueOf = (name: string) => {
    const found = parameters
      .map(one => PARAMETER.exec(one))
      .find(one => one?.[1]?.toLowerCase() === name)
    return found?.[2] ?? found?.[3]
  }
  const quality = Number(valueOf('q') ?? 1)
  const own = type.toLowerCase() === PROBLEM ? 'problem' : null
  return {
    type: type.toLowerCase(),
    quality: Number.isNaN(quality) ? 0 : quality,
    profile: valueOf('profile') ?? own,
  }
}

const PARAMETER = /^(\w+)=(?:"([^"]*)"|([^"\s]+))$/
