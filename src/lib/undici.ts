import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

/** The parts of undici that a start needs. Loading all of it, with `fetch`, takes four times as long. */
export const Agent: typeof undici.Agent = require('undici/lib/dispatcher/agent.js')
export const Pool: typeof undici.Pool = require('undici/lib/dispatcher/pool.js')
export const ProxyAgent: typeof undici.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
export const buildConnector: typeof undici.buildConnector = require('undici/lib/core/connect.js')
