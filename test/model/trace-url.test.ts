import { expect, test } from 'vitest'
import { loadSettings } from '../../src/gateway/config.ts'
import { traceLink } from '../../src/model/trace-url.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  ['https://traces.example.com/{trace_id}', ID, `https://traces.example.com/${ID}`],
  ['http://a/?q={trace_id}#{trace_id}', ID, `http://a/?q=${ID}#${ID}`],
  ['https://a/{trace_id}', `"><a $& /?`, 'https://a/%22%3E%3Ca%20%24%26%20%2F%3F'],
  ['https://a/{trace_id}', undefined, null],
  ['', ID, null],
])('the template %s with the id %s gives %s', (template, id, link) => {
  expect(traceLink(template, id)).toBe(link)
})

test.each([
  ['https://traces.example.com/trace/{trace_id}', true],
  ['http://localhost:16686/trace/{trace_id}?uiFind=x', true],
  ['', true],
  ['javascript:alert(1)//{trace_id}', false],
  ['data:text/html,{trace_id}', false],
  ['https://{trace_id}.example.com/', false],
  ['https://traces.example.com/trace', false],
  ['https://traces.example.com/ {trace_id}', false],
])('the setting trace_url takes %s: %s', (trace_url, isTaken) => {
  const load = () => loadSettings({ SIGNALBOX_TRACE_URL: trace_url }, null, {})
  if (isTaken) expect(load().trace_url).toBe(trace_url)
  else expect(load).toThrow(/trace_url|SIGNALBOX_TRACE_URL/)
})
