BLOCKS = ()
