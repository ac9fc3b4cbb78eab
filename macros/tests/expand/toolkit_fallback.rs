toolkit![add()]
