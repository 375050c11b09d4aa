// A part of Java: what a program of one file without generics needs.
%start unit
%right '=' '+=' '-=' '^=' '|=' '&='
%right '?'
%left '||'
%left '&&'
%left '|'
%left '^'
%left '&'
%left '==' '!='
%left '<' '>' '<=' '>='
%left '<<' '>>' '>>>'
%left '+' '-'
%left '*' '/' '%'
%right UNARY
%%
unit: package imports types ;

package: %empty | 'package' name ';' ;
imports: %empty | imports import ;
import: 'import' name ';' | 'import' name '.' '*' ';' ;

types: %empty | types type_declaration ;
type_declaration: modifiers 'class' 'ID' extends implements class_body ;
extends: %empty | 'extends' name ;
implements: %empty | 'implements' names ;
class_body: '{' members '}' ;
members: %empty | members member ;
member: field | method | constructor | initializer | type_declaration | ';' ;
initializer: modifiers block ;
field: modifiers type declarators ';' ;
method: modifiers type 'ID' '(' parameters ')' dimensions throws method_body ;
constructor: modifiers 'ID' '(' parameters ')' throws block ;
method_body: block | ';' ;
throws: %empty | 'throws' names ;
modifiers: %empty | modifiers modifier ;
modifier: 'public' | 'private' | 'protected' | 'static' | 'final' | 'abstract' | 'synchronized' | 'native' ;
parameters: %empty | parameter_list ;
parameter_list: parameter | parameter_list ',' parameter ;
parameter: modifiers type 'ID' dimensions ;

type: primitive dimensions | name dimensions ;
primitive: 'int' | 'long' | 'byte' | 'short' | 'char' | 'boolean' | 'float' | 'double' | 'void' ;
dimensions: %empty | dimensions '[' ']' ;
name: 'ID' | name '.' 'ID' ;
names: name | names ',' name ;

declarators: declarator | declarators ',' declarator ;
declarator: 'ID' dimensions | 'ID' dimensions '=' initial ;
initial: expression | '{' '}' | '{' initials '}' | '{' initials ',' '}' ;
initials: initial | initials ',' initial ;

block: '{' statements '}' ;
statements: %empty | statements statement ;
statement: block
         | ';'
         | local ';'
         | expression ';'
         | 'if' '(' expression ')' statement
         | 'if' '(' expression ')' statement 'else' statement
         | 'while' '(' expression ')' statement
         | 'do' statement 'while' '(' expression ')' ';'
         | 'for' '(' for_init ';' for_condition ';' for_update ')' statement
         | 'switch' '(' expression ')' '{' cases '}'
         | 'return' ';'
         | 'return' expression ';'
         | 'break' ';'
         | 'continue' ';'
         | 'throw' expression ';'
         | 'try' block catches finally
         ;
local: type declarators | 'final' type declarators ;
for_init: %empty | local | expressions ;
for_condition: %empty | expression ;
for_update: %empty | expressions ;
cases: %empty | cases case ;
case: 'case' expression ':' statements | 'default' ':' statements ;
catches: %empty | catches catch ;
catch: 'catch' '(' parameter ')' block ;
finally: %empty | 'finally' block ;

expressions: expression | expressions ',' expression ;
expression: expression '=' expression
          | expression '+=' expression
          | expression '-=' expression
          | expression '^=' expression
          | expression '|=' expression
          | expression '&=' expression
          | expression '?' expression ':' expression
          | expression '||' expression
          | expression '&&' expression
          | expression '|' expression
          | expression '^' expression
          | expression '&' expression
          | expression '==' expression
          | expression '!=' expression
          | expression '<' expression
          | expression '>' expression
          | expression '<=' expression
          | expression '>=' expression
          | expression '<<' expression
          | expression '>>' expression
          | expression '>>>' expression
          | expression '+' expression
          | expression '-' expression
          | expression '*' expression
          | expression '/' expression
          | expression '%' expression
          | '-' expression %prec UNARY
          | '+' expression %prec UNARY
          | '!' expression %prec UNARY
          | '~' expression %prec UNARY
          | '++' expression %prec UNARY
          | '--' expression %prec UNARY
          | '(' primitive dimensions ')' expression %prec UNARY
          | expression '++'
          | expression '--'
          | expression '.' 'ID'
          | expression '[' expression ']'
          | expression '(' arguments ')'
          | 'new' name '(' arguments ')'
          | 'new' name sizes dimensions
          | 'new' primitive sizes dimensions
          | '(' expression ')'
          | 'ID'
          | 'this'
          | 'super'
          | 'null'
          | 'INT'
          | 'STRING'
          | 'CHAR'
          ;
sizes: '[' expression ']' | sizes '[' expression ']' ;
arguments: %empty | expressions ;
