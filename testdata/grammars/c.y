// ANSI C after the appendix of Kernighan and Ritchie, with what may be missing as a rule of its own. There are no names
// of types but those of the language.
%start translation_unit
%%
translation_unit: external_declaration | translation_unit external_declaration ;
external_declaration: function_definition | declaration ;
function_definition: specifiers_opt declarator declaration_list_opt compound_statement ;

specifiers_opt: %empty | specifiers ;
specifiers: specifier | specifier specifiers ;
specifier: 'auto' | 'register' | 'static' | 'extern' | 'typedef' | 'const' | 'volatile' | type_specifier ;
type_specifier: 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | 'signed' | 'unsigned'
    | struct_or_union id_opt '{' struct_declaration_list '}' | struct_or_union 'ID'
    | 'enum' id_opt '{' enumerator_list '}' | 'enum' 'ID' ;
id_opt: %empty | 'ID' ;
struct_or_union: 'struct' | 'union' ;
struct_declaration_list: struct_declaration | struct_declaration_list struct_declaration ;
struct_declaration: specifiers struct_declarator_list ';' ;
struct_declarator_list: struct_declarator | struct_declarator_list ',' struct_declarator ;
struct_declarator: declarator | declarator ':' conditional ;
enumerator_list: enumerator | enumerator_list ',' enumerator ;
enumerator: 'ID' | 'ID' '=' conditional ;

declaration_list_opt: %empty | declaration_list_opt declaration ;
declaration: specifiers init_declarator_list_opt ';' ;
init_declarator_list_opt: %empty | init_declarator_list ;
init_declarator_list: init_declarator | init_declarator_list ',' init_declarator ;
init_declarator: declarator | declarator '=' initializer ;
initializer: assignment | '{' initializer_list comma_opt '}' ;
initializer_list: initializer | initializer_list ',' initializer ;
comma_opt: %empty | ',' ;

declarator: direct_declarator | pointer direct_declarator ;
pointer: '*' qualifiers_opt | '*' qualifiers_opt pointer ;
qualifiers_opt: %empty | qualifiers_opt 'const' | qualifiers_opt 'volatile' ;
direct_declarator: 'ID' | '(' declarator ')' | direct_declarator '[' conditional_opt ']'
    | direct_declarator '(' parameters_opt ')' ;
parameters_opt: %empty | parameter_list | parameter_list ',' '...' ;
parameter_list: parameter | parameter_list ',' parameter ;
parameter: specifiers declarator | specifiers abstract_declarator_opt ;
abstract_declarator_opt: %empty | abstract_declarator ;
abstract_declarator: pointer | direct_abstract_declarator | pointer direct_abstract_declarator ;
direct_abstract_declarator: '(' abstract_declarator ')' | '[' conditional_opt ']' | '(' parameters_opt ')'
    | direct_abstract_declarator '[' conditional_opt ']' | direct_abstract_declarator '(' parameters_opt ')' ;
type_name: specifiers abstract_declarator_opt ;

compound_statement: '{' declaration_list_opt statement_list_opt '}' ;
statement_list_opt: %empty | statement_list_opt statement ;
statement: 'ID' ':' statement | 'case' conditional ':' statement | 'default' ':' statement
    | expression_opt ';' | compound_statement
    | 'if' '(' expression ')' statement | 'if' '(' expression ')' statement 'else' statement
    | 'switch' '(' expression ')' statement | 'while' '(' expression ')' statement
    | 'do' statement 'while' '(' expression ')' ';'
    | 'for' '(' expression_opt ';' expression_opt ';' expression_opt ')' statement
    | 'goto' 'ID' ';' | 'continue' ';' | 'break' ';' | 'return' expression_opt ';' ;

expression_opt: %empty | expression ;
expression: assignment | expression ',' assignment ;
assignment: conditional | unary assignment_operator assignment ;
assignment_operator: '=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=' ;
conditional_opt: %empty | conditional ;
conditional: or | or '?' expression ':' conditional ;
or: and | or '||' and ;
and: bit_or | and '&&' bit_or ;
bit_or: bit_xor | bit_or '|' bit_xor ;
bit_xor: bit_and | bit_xor '^' bit_and ;
bit_and: equality | bit_and '&' equality ;
equality: relation | equality '==' relation | equality '!=' relation ;
relation: shift | relation '<' shift | relation '>' shift | relation '<=' shift | relation '>=' shift ;
shift: sum | shift '<<' sum | shift '>>' sum ;
sum: product | sum '+' product | sum '-' product ;
product: cast | product '*' cast | product '/' cast | product '%' cast ;
cast: unary | '(' type_name ')' cast ;
unary: postfix | '++' unary | '--' unary | unary_operator cast | 'sizeof' unary | 'sizeof' '(' type_name ')' ;
unary_operator: '&' | '*' | '+' | '-' | '~' | '!' ;
postfix: primary | postfix '[' expression ']' | postfix '(' arguments_opt ')' | postfix '.' 'ID'
    | postfix '->' 'ID' | postfix '++' | postfix '--' ;
arguments_opt: %empty | argument_list ;
argument_list: assignment | argument_list ',' assignment ;
primary: 'NUMBER' | 'ID' | 'CHARACTER' | 'STRING' | '(' expression ')' ;
