toolkit![add, weather::get_weather, greet]
