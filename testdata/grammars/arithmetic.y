%start E
%%
E: E 'times' E
 | E 'over' E
 | E 'plus' E
 | E 'minus' E
 | 'open' E 'close'
 | 'number'
 ;
