/**
 * The scripts of src/state/redis, in JavaScript: each function does the same to a keyspace in memory as the script does to a
 * Redis. test/state/contract/twins.test.ts compares the two.
 */

import type { OwnAnswers } from '../answers.ts'
import * as answers from '../redis/answers.ts'
import { POST } from '../redis/board.ts'
import { ENTER, LEAVE } from '../redis/key-limits.ts'
import { RELEASE, TAKE } from '../redis/probe-lease.ts'
import { KEEP } from '../redis/replies.ts'
import { REPLACE } from '../redis/writes.ts'
import type { Keyspace } from './keyspace.ts'

/** The place where an operation runs. */
export interface Ground {
  readonly keys: Keyspace
  readonly answers: OwnAnswers
  /** Sends a message to everybody who listens to the channel. */
  readonly publish: (channel: string, message: string) => void
  /** Epoch milliseconds. */
  readonly now: number
  /** Monotonic milliseconds. */
  readonly tick: number
}

type Texts = readonly string[]
export type Operation = (ground: Ground, keys: Texts, values: Texts) => unknown

const post: Operation = ({ keys, publish }, [board = '', ends = ''], values) => {
  const [now, most, channel = '', message = '', ...posts] = values
  for (let at = 0; at < posts.length; at += 3) {
    const [field = '', value = '', end] = posts.slice(at, at + 3)
    if (value === '') {
      keys.hash(board).delete(field)
      keys.sorted(ends).delete(field)
    } else {
      keys.hash(board).set(field, value)
      keys.sorted(ends).set(field, Number(end))
    }
  }
  prune(keys, [board, ends], Number(now), Number(most))
  publish(channel, message)
}

/** Deletes the posts that have ended, and if there are too many, those that end first. */
function prune(
  keys: Keyspace,
  [board, ends]: readonly [string, string],
  now: number,
  most: number,
) {
  const posts = keys.sorted(ends)
  const remove = (field: string) => {
    keys.hash(board).delete(field)
    posts.delete(field)
  }
  for (const [field, end] of posts) if (end <= now) remove(field)
  for (const field of keys.excess(ends, most)) remove(field)
}

const keepReply: Operation = ({ keys, publish }, [key = '', all = ''], values) => {
  const [reply = '', kept, name = '', now, most, channel = '', prefix = ''] = values
  const names = keys.sorted(all)
  keys.strings.set(key, reply)
  keys.expire(key, Number(now) + Number(kept))
  names.delete(name)
  names.set(name, Number(now))
  // The name that was set longest ago comes first, and has the lowest score.
  for (const [one, at] of names) {
    if (names.size <= Number(most) && at > Number(now) - Number(kept)) break
    names.delete(one)
    keys.delete(prefix + one)
  }
  publish(channel, name)
}

const replaceWrite: Operation = ({ keys }, [place = ''], values) => {
  const [now, before = '', after = '', end, most, lasts] = values
  const set = keys.sorted(place)
  set.delete(before)
  if (after !== '') set.set(after, Number(end))
  keys.removeUpTo(place, Number(now))
  for (const one of keys.excess(place, Number(most))) set.delete(one)
  keys.expire(place, Number(now) + Number(lasts))
}

const MINUTE = 60_000

const enter: Operation = ({ keys, now }, [bucket = '', running = ''], values) => {
  const [rate, most] = values.slice(0, 2).map(text => (text === '' ? null : Number(text)))
  const [lease = '', lasts] = values.slice(2)
  keys.removeUpTo(running, now)
  const calls = keys.sorted(running)
  if (typeof most === 'number' && calls.size >= most) return ['concurrency']
  const tokens = typeof rate === 'number' ? takeToken({ keys, now }, bucket, rate) : 1
  if (tokens < 1) return ['rate', String(tokens)]
  if (typeof most === 'number') {
    const end = now + Number(lasts)
    calls.set(lease, end)
    keys.expire(running, Math.max(keys.endsAt(running), end))
  }
  return ['entered']
}

/** Takes one of the tokens if there is a whole one. @returns how many there were */
function takeToken({ keys, now }: Pick<Ground, 'keys' | 'now'>, bucket: string, rate: number) {
  const tokens = tokensOf(keys, bucket, rate, now)
  if (tokens < 1) return tokens
  keys
    .hash(bucket)
    .set('tokens', String(tokens - 1))
    .set('at', String(now))
  keys.expire(bucket, now + 2 * MINUTE)
  return tokens
}

function tokensOf(keys: Keyspace, bucket: string, rate: number, now: number): number {
  keys.refresh(bucket, now)
  const found = keys.hash(bucket)
  const at = Number(found.get('at') ?? now)
  return Math.min(rate, Number(found.get('tokens') ?? rate) + ((now - at) * rate) / MINUTE)
}

const leave: Operation = ({ keys }, [running = ''], [lease = '']) =>
  keys.sorted(running).delete(lease) ? 1 : 0

const take: Operation = ({ keys, now }, [key = ''], [me = '', ms]) => {
  keys.refresh(key, now)
  if (keys.strings.has(key)) return 0
  keys.strings.set(key, me)
  keys.expire(key, now + Number(ms))
  return 1
}

const release: Operation = ({ keys }, [key = ''], [me]) => {
  if (keys.strings.get(key) === me) keys.delete(key)
}

const look: Operation = (
  { answers: own, tick },
  [, key = ''],
  [upstream = '', capability = ''],
) => {
  const { found, mark } = own.look({ key, upstream: idOf(upstream), capability }, tick)
  return found === null ? [mark] : [mark, found.ageMs, found.json]
}

const keepAnswer: Operation = ({ answers: own }, [, key = ''], values) => {
  const [upstream = '', capability = '', mark, json = ''] = values
  own.keep({ key, upstream: idOf(upstream), capability }, json, Number(mark))
}

const drop: Operation = ({ answers: own, tick }, _keys, values) => {
  for (let at = 0; at < values.length; at += 2) {
    const [name = '', doubt] = values.slice(at, at + 2)
    own.drop({ upstream: '', capabilities: [name], doubtMs: Number(doubt) }, tick)
  }
}

/** Scripts get the name under which drops of the whole upstream are noted, which is its id and a colon. */
function idOf(name: string): string {
  return name.slice(0, -1)
}

/** Each script with its twin. The place in the list is its name between processes of one version. */
export const OPERATIONS: readonly (readonly [script: string, operation: Operation])[] = [
  [POST, post],
  [KEEP, keepReply],
  [REPLACE, replaceWrite],
  [ENTER, enter],
  [LEAVE, leave],
  [TAKE, take],
  [RELEASE, release],
  [answers.LOOK, look],
  [answers.KEEP, keepAnswer],
  [answers.DROP, drop],
]
