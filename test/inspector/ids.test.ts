import { expect, test } from 'vitest'
import { exactId, findId } from '../../inspector/web/model/ids.js'

const REQUEST = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  ['an id alone', REQUEST, { kind: 'own', id: REQUEST }],
  ['an id with space around it', ` ${REQUEST}\n`, { kind: 'own', id: REQUEST }],
  ['a log line', `{"level":50,"request_id":"${REQUEST}"}`, { kind: 'own', id: REQUEST }],
  ['a log line with both', `trace=${TRACE} id=${REQUEST}`, { kind: 'own', id: REQUEST }],
  ['an address', `http://h/inspector/requests/${REQUEST}?a=b`, { kind: 'own', id: REQUEST }],
  ['a trace id', TRACE, { kind: 'trace', id: TRACE }],
  ['a traceparent', `00-${TRACE}-00f067aa0ba902b7-01`, { kind: 'trace', id: TRACE }],
  ['the trace id that names none', '0'.repeat(32), null],
  ['an id in small letters', REQUEST.toLowerCase(), { kind: 'own', id: REQUEST }],
  ['a trace id in capitals', TRACE.toUpperCase(), { kind: 'trace', id: TRACE }],
  ['a quoted id', `"${REQUEST}",`, { kind: 'own', id: REQUEST }],
  ['a longer word', `${REQUEST}X`, null],
  ['plain text', 'why did it fail', null],
  ['an id far into a document', `${'x '.repeat(10_000)}${REQUEST}`, null],
])('finds the id in pasted text: %s', (_name, text, expected) => {
  expect(findId(text)).toEqual(expected)
})

test.each([
  ['an id', REQUEST, REQUEST],
  ['an id in small letters', REQUEST.toLowerCase(), REQUEST],
  ['an id with white space around it', ` \t${REQUEST}\r\n`, REQUEST],
  ['an id in quotes', `"${REQUEST}"`, REQUEST],
  ['an id in other quotes, with a comma', `“${REQUEST}”,`, REQUEST],
  ['an id in brackets', `(${REQUEST})`, REQUEST],
  ['an id that a terminal has broken', `${REQUEST.slice(0, 10)}\n  ${REQUEST.slice(10)}`, REQUEST],
  ['an id with characters that nobody sees', `\u200b${REQUEST}\u200e`, REQUEST],
  ['a trace id in capitals', `'${TRACE.toUpperCase()}'`, TRACE],
  ['an id after a word', `id ${REQUEST}`, null],
  ['an id with its name', `"request_id":"${REQUEST}"`, null],
  ['two ids', `${REQUEST} ${REQUEST}`, null],
  ['an ordinary text', 'why did it fail', null],
  ['nothing', '', null],
])('knows whether a text is nothing but an id: %s', (_name, text, id) => {
  expect(exactId(text)?.id ?? null).toBe(id)
})
