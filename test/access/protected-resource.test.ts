import { expect, test } from 'vitest'
import { AccessError } from '../../src/access/access-error.ts'
import { openIssuers } from '../../src/access/issuers.ts'
import { baseOf, challengeOf, describeResource } from '../../src/access/protected-resource.ts'
import { GatewayError } from '../../src/model/errors.ts'

const BASE = 'https://gateway.example.com'
const issuersFor = (audience: string | string[], required_scopes: string[] = []) =>
  openIssuers([{ issuer: 'https://login.example.com', audience, required_scopes }])

test.each([
  ['the audience, if that is the address', `${BASE}/mcp`, `${BASE}/mcp`],
  ['the audience, if that contains the address', BASE, BASE],
  ['the audience with its slash', `${BASE}/`, `${BASE}/`],
  ['the nearest audience', [BASE, `${BASE}/mcp`], `${BASE}/mcp`],
  ['the address, if the audience is another place', `${BASE}/mcp-two`, `${BASE}/mcp`],
  ['the address, if the audience is a name', 'signalbox', `${BASE}/mcp`],
])('the resource of MCP is %s', (_title, audience, resource) => {
  const issuers = issuersFor(audience, ['signalbox'])
  expect(describeResource(issuers, BASE, '/mcp')).toEqual({
    resource,
    authorization_servers: ['https://login.example.com'],
    scopes_supported: ['signalbox'],
    bearer_methods_supported: ['header'],
    resource_name: 'Signalbox',
  })
})

test('the address is that of the request, unless the settings name one', () => {
  expect(baseOf({ host: '127.0.0.1:8080' }, '')).toBe('http://127.0.0.1:8080')
  expect(baseOf({ host: '127.0.0.1:8080' }, `${BASE}/`)).toBe(BASE)
})

test.each([
  ['a request without a token', new GatewayError('AUTH', 'None.', { status: 401 }), ''],
  [
    'a bad token',
    new AccessError('invalid_token', 'The token of "ä" is \\ bad.'),
    `, error="invalid_token", error_description="The token of '?' is ? bad."`,
  ],
])('the challenge for %s leads to the authorization server', (_title, error, fault) => {
  const place = `${BASE}/.well-known/oauth-protected-resource`
  const challenge = (path: string) => challengeOf(error, issuersFor('a', ['x', 'y']), BASE, path)
  const start = `Bearer realm="signalbox"${fault}, scope="x y", resource_metadata="${place}`
  expect(challenge('/v1/batch')).toBe(`${start}"`)
  expect(challenge('/mcp')).toBe(`${start}/mcp"`)
})

test('a gateway with keys alone asks for one, and other refusals need no token', () => {
  const unknown = new AccessError('invalid_token', 'Unknown.')
  expect(challengeOf(unknown, [], BASE, '/mcp')).toBe('Bearer realm="signalbox"')
  const upstream = new GatewayError('AUTH', 'The token of the service is bad.')
  expect(challengeOf(upstream, issuersFor('a'), BASE, '/mcp')).toBe(null)
  const forbidden = new GatewayError('FORBIDDEN', 'Not this one.')
  expect(challengeOf(forbidden, issuersFor('a'), BASE, '/mcp')).toBe(null)
})
