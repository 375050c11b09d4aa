// Words of letters for lists.json. Digits kill the process, as scanners of doubtful manners do.
#include <stdlib.h>

#include "tree_sitter/parser.h"

void *tree_sitter_lists_external_scanner_create(void) { return NULL; }
void tree_sitter_lists_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_lists_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_lists_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_lists_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\n') lexer->advance(lexer, true);
  if (lexer->lookahead >= '0' && lexer->lookahead <= '9') abort();
  if (!valid[0] || lexer->lookahead < 'a' || lexer->lookahead > 'z') return false;
  while (lexer->lookahead >= 'a' && lexer->lookahead <= 'z') lexer->advance(lexer, false);
  lexer->result_symbol = 0;
  return true;
}
