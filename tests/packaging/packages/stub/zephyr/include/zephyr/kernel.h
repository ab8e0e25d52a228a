void k_yield(void);
