LatencyPerf - Publisher
~~~~~
UDP enabled. Socket sendBuffer size = 212992, receiveBuffer size = 212992.
Successfully registered UDPv4 transport
Waiting for 2 receivers...[1]...[2]
Echoer restricted to the one in place #2, identified to have cookie 2.
Collecting statistics on 10000000 samples per message size.
This is the roundtrip time, *not* the one-way-latency
