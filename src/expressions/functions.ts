import { createHash } from 'node:crypto'
import {
  isRegistered,
  type JSONValue,
  registerFunction,
  TYPE_ARRAY_STRING,
  TYPE_NULL,
  TYPE_NUMBER,
  TYPE_OBJECT,
  TYPE_STRING,
} from '@jmespath-community/jmespath'
import { linkTarget } from '../lib/link-header.ts'
import type { TargetValues } from '../lib/request-target.ts'
import { between, foldersAbove, lines, matching, tail } from './text-functions.ts'
import { expandUri } from './uri.ts'

/** Adds the functions of cards to those of JMESPath. All are pure. The library's registry is global: register once. */
export function registerCardFunctions(): void {
  if (isRegistered('uri')) return
  const text = { types: [TYPE_STRING] }
  const maybeText = { types: [TYPE_STRING, TYPE_NULL] }
  register<[string, TargetValues]>('uri', expandUri, [text, { types: [TYPE_OBJECT] }])
  register<[string | null, string, string]>('link_param', linkParam, [maybeText, text, text])
  register<[string | null]>('upper_or_null', value => value?.toUpperCase() ?? null, [maybeText])
  const texts = { types: [TYPE_ARRAY_STRING] }
  register<[string, number]>('tail', tail, [text, { types: [TYPE_NUMBER] }])
  register<[string]>('lines', lines, [text])
  register<[string[], string]>('matching', matching, [texts, text])
  register<[string[], string, string]>('between', between, [texts, text, text])
  register<[string]>('folders_above', foldersAbove, [text])
  register<[string]>('to_base64', value => Buffer.from(value).toString('base64'), [text])
  register<[string]>('text_in_base64', textInBase64, [text])
  register<[string]>('byte_length', value => Buffer.byteLength(value), [text])
  register<[string]>('git_blob_sha', gitBlobSha, [text])
  register<[number]>('timestamp', timestamp, [{ types: [TYPE_NUMBER] }])
  register<[string | null, string]>('not_before', notBefore, [maybeText, text])
}

const names: string[] = []
/** The names of the functions that this module registers. */
export const cardFunctions: readonly string[] = names

type Signature = Parameters<typeof registerFunction>[2]

/** The library checks the arguments against the signature before it calls the function. */
function register<Args extends unknown[]>(
  name: string,
  implementation: (...args: Args) => JSONValue,
  signature: Signature,
): void {
  registerFunction(name, args => implementation(...(args as Args)), signature)
  names.push(name)
}

/** Seconds since 1970 as RFC 3339, without fractions, like most services write times. */
function timestamp(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** Whether a time is at or after another, both RFC 3339: JMESPath compares no strings. False for no time. */
function notBefore(time: string | null, limit: string): boolean {
  return time !== null && Date.parse(time) >= Date.parse(limit)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The encoded text; null when the bytes are not text: not UTF-8, or with a zero byte. */
function textInBase64(value: string): string | null {
  const bytes = Buffer.from(value, 'base64')
  if (bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** The name that git gives to a file with the encoded bytes. */
function gitBlobSha(value: string): string {
  const bytes = Buffer.from(value, 'base64')
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** A query parameter of the target of a relation in a `Link` header; null when there is none. */
export function linkParam(header: string | null, relation: string, name: string): string | null {
  const target = linkTarget(header ?? '', relation)
  return target === null ? null : new URL(target, 'http://relative.invalid').searchParams.get(name)
}
