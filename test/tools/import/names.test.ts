import { expect, test } from 'vitest'
import { idOfName, idOfPath, memberName } from '../../../src/tools/import/names.ts'

test.each([
  ['listParts', 'part.list'],
  ['getPart', 'part.view'],
  ['getPartById', 'part.view'],
  ['getParts', 'part.list'],
  ['get_order_items', 'order_item.list'],
  ['createOrder', 'order.create'],
  ['deleteBox', 'box.delete'],
  ['listShelves', 'shelf.list'],
  ['searchCategories', 'category.search'],
  ['orders.list', 'order.list'],
  ['HTTPStatusGet', 'http_status.view'],
  ['reserve', null],
  ['list', null],
])('the operationId %s gives the id %s', (name, id) => {
  expect(idOfName(name)).toBe(id)
})

test.each([
  ['GET', '/parts/{sku}', false, 'part.view'],
  ['GET', '/api/v2/parts', true, 'part.list'],
  ['POST', '/parts', false, 'part.create'],
  ['POST', '/parts/{sku}/reserve', false, 'part.reserve'],
  ['POST', '/parts/{sku}/notes', false, 'part.note.create'],
  ['DELETE', '/parts/{sku}/notes/{id}', false, 'part.note.delete'],
  ['GET', '/order-lines/{id}', false, 'order_line.view'],
  ['GET', '/2fa', false, 'x2fa.view'],
  ['GET', '/', false, 'root.view'],
])('%s %s (a list: %s) gives the id %s', (method, path, isList, id) => {
  expect(idOfPath(method, path, isList)).toBe(id)
})

test.each([
  ['sku', 'sku'],
  ['part-number', 'partNumber'],
  ['X-Trace-Tag', 'xTraceTag'],
  ['filter[state]', 'filterState'],
  ['2nd', '_2nd'],
  ['größe', 'grE'],
  ['名', 'value'],
])('the parameter %s becomes the member %s', (wire, name) => {
  expect(memberName(wire)).toBe(name)
})
