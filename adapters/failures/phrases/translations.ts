/**
 * "Connection refused" as the C library prints it in other languages, when a program sets its own locale.
 * Source: the message catalogues of glibc, https://sourceware.org/git/?p=glibc.git;a=tree;f=po
 */
export const REFUSED = [
  'Verbindungsaufbau abgelehnt',
  'Connexion refusée',
  'Conexión rehusada',
  'Conexió refusada',
  'Connessione rifiutata',
  'Conexão recusada',
  'Ligação recusada',
  'Verbinding is geweigerd',
  'Förbindelse vägras',
  'Forbindelse afvist',
  'Połączenie odrzucone',
  'Spojení odmítnuto',
  'В соединении отказано',
  "У з'єднанні відмовлено",
  'Bağlantı reddedildi',
  '接続を拒否されました',
  '拒绝连接',
  '连接被拒绝',
  '連線被拒絕',
  '연결이 거부됨',
] as const
