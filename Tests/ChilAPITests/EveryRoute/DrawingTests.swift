import Testing

extension EveryRouteTests {
    @Suite struct Drawings {
        @Test(arguments: ServiceForm.allCases, ["image/png", "image/jpeg", "application/octet-stream"])
        func bytesAreUploaded(_ form: ServiceForm, _ type: String) throws {
            let app = try EveryRouteTests.app(form)
            let image = type == "image/jpeg" ? Picture.jpeg() : Picture.png()
            let answer = try app.service.send(app.upload(image, type: type))
            #expect(answer.status == 201, "\(answer.text)")
            let id = try answer.int("drawingId")
            #expect(answer["Location"] == "\(Service.publicURL)/north/drawings/\(id)")
            #expect(try answer.string("type") == "UPLOADED")
            #expect(try answer.string("status") == "READY")
            #expect(try answer.int("width") == (type == "image/jpeg" ? 16 : 2))
            #expect(try answer.int("byteCount") == image.count)
            #expect(try answer.string("mediaType") == (type == "image/jpeg" ? type : "image/png"))
            #expect(try answer.string("url").hasPrefix("\(Service.publicURL)/north/drawings/\(id)/image?"))
            // What was answered is what is read, the moment it was made included.
            let read = try app.send("GET", "drawings/\(id)")
            #expect(read.status == 200 && read.text == answer.text)
        }

        @Test(arguments: ServiceForm.allCases)
        func aFormIsUploaded(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            let image = Picture.png()
            var body = Array(
                """
                --edge\r\nContent-Disposition: form-data; name="type"\r\n\r\nSCANNED\r\n\
                --edge\r\nContent-Disposition: form-data; name="title"\r\n\r\n고양이 "\\\r\n\
                --edge\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n
                """.utf8
            )
            body += image + Array("\r\n--edge--\r\n".utf8)
            let answer = try app.service.send(app.upload(body, type: "multipart/form-data; boundary=edge"))
            #expect(answer.status == 201, "\(answer.text)")
            #expect(try answer.string("type") == "SCANNED")
            #expect(try answer.string("title") == "고양이 \"\\")
            let id = try answer.int("drawingId")
            #expect(try app.send("GET", "drawings/\(id)").text == answer.text)
            #expect(try app.send("GET", "drawings/\(id)/image").body == image)
        }

        /// More than one chunk of the database, and more than a loop looks at by itself.
        @Test(arguments: ServiceForm.allCases, [1 << 20, 5 << 20])
        func aLargeImageComesBackWhole(_ form: ServiceForm, _ bytesMin: Int) throws {
            let app = try EveryRouteTests.app(form)
            let image = Picture.jpeg(bytesMin: bytesMin)
            #expect(image.count >= bytesMin)
            let answer = try app.service.send(app.upload(image, type: "image/jpeg"))
            #expect(answer.status == 201, "\(answer.text)")
            let path = "drawings/\(try answer.int("drawingId"))/image"
            #expect(try app.send("GET", path).body == image)
            let range = (300_000..<900_000)
            let part = try app.service.send(app.request("GET", path).adding("Range", "bytes=300000-899999"))
            #expect(part.status == 206 && part.body == Array(image[range]))
        }

        @Test(arguments: ServiceForm.allCases)
        func aDeletedDrawingIsGone(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            let answer = try app.service.send(app.upload(Picture.png()))
            let id = try answer.int("drawingId")
            let url = String(try answer.string("url").dropFirst(Service.publicURL.count))
            #expect(try app.service.send(Request("GET", url)).status == 200)
            #expect(try app.send("DELETE", "drawings/\(id)").status == 204)
            try expectProblem(try app.send("GET", "drawings/\(id)"), 404, "not-found")
            try expectProblem(try app.send("GET", "drawings/\(id)/image"), 404, "not-found")
            try expectProblem(try app.service.send(Request("GET", url)), 404, "not-found")
            try expectProblem(try app.send("DELETE", "drawings/\(id)"), 404, "not-found")
            #expect(try app.send("GET", "drawings").array("data").isEmpty)
        }

        /// The same bytes twice are two drawings: deleting one leaves the other its image.
        @Test(arguments: ServiceForm.allCases)
        func aSharedImageOutlivesOneOfItsDrawings(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            let image = Picture.png()
            let ids = try (0..<2).map { _ in try app.service.send(app.upload(image)).int("drawingId") }
            #expect(ids[0] < ids[1])
            #expect(try app.send("DELETE", "drawings/\(ids[0])").status == 204)
            #expect(try app.send("GET", "drawings/\(ids[1])/image").body == image)
        }
    }
}
